import { defineCommand } from '../parser/command.ts';

/** `lectern preview`: serves the built site. */
export const previewCommand = defineCommand({
  options: {
    config: { type: 'string', describe: 'Configuration file (default lectern.config.json)' },
    out: { type: 'string', describe: 'Published folder (default dist)' },
    port: { type: 'number', default: 4173, describe: 'Port on localhost; 0 picks a free one' },
  },
  examples: [
    ['lectern preview', 'Serve dist/ at http://localhost:4173'],
    ['lectern preview --port 0', 'Serve it at any free port'],
  ],
  run: async (flags) => {
    const { runPreview } = await import('../run-preview.ts');
    await runPreview(flags);
  },
});
