export default { docs: [ { type: 'category', label: 'Guide', link: { type: 'generated-index', description: 'A generated index.' }, items: ['guide/start', 'guide/code'] }, 'intro' ] };
