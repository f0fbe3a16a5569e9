import remarkMath from 'remark-math';
import rehypeKatex from 'rehype-katex';
export default {
  title: 'Kettle docs', tagline: 'Boils', url: 'https://docs.example.com', baseUrl: '/', trailingSlash: false,
  onBrokenLinks: 'warn', onBrokenMarkdownLinks: 'warn', onBrokenAnchors: 'warn',
  i18n: { defaultLocale: 'en', locales: ['en', 'de'] },
  markdown: { mermaid: true }, themes: ['@docusaurus/theme-mermaid'],
  presets: [['classic', { docs: { routeBasePath: '/', sidebarPath: './sidebars.js', editUrl: 'https://example.org/edit/', showLastUpdateTime: false, remarkPlugins: [remarkMath], rehypePlugins: [rehypeKatex], lastVersion: 'current', versions: { current: { label: '2.0' }, '1.0': { label: '1.0', banner: 'unmaintained' } } }, blog: { showReadingTime: true, postsPerPage: 2 }, }]],
  plugins: [['@docusaurus/plugin-client-redirects', { redirects: [{ from: '/old-start', to: '/guide/start' }] }]],
  themeConfig: { announcementBar: { id: 'a', content: 'Navigationword announcement' }, navbar: { title: 'Navigationword site', items: [{ type: 'doc', docId: 'guide/start', label: 'Navigationword docs' }, { type: 'docsVersionDropdown' }, { type: 'localeDropdown' }, { to: '/blog', label: 'Navigationword blog' }] },
    footer: { links: [{ title: 'Navigationword', items: [{ label: 'Navigationword link', to: '/guide/start' }] }], copyright: 'Navigationword copyright' },
    prism: { additionalLanguages: ['bash', 'diff'] } },
};
