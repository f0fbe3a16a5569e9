import footnote from 'markdown-it-footnote';
import { defineConfig } from 'vitepress';

const hostname = 'https://docs.example.com';

/** `de/guide/parts.md` → `/de/guide/parts`, `guide/index.md` → `/guide/`. */
const urlOf = (path) => `/${path.replace(/(?:^|(?<=\/))index\.md$|\.md$/, '')}`;

export default defineConfig({
  title: 'Kettle manual',
  description: 'How to use a kettle.',
  cleanUrls: true,
  ignoreDeadLinks: true,
  sitemap: { hostname },
  markdown: { math: true, lineNumbers: true, config: (md) => md.use(footnote) },
  locales: {
    root: { label: 'English', lang: 'en' },
    de: { label: 'Deutsch', lang: 'de', title: 'Handbuch des Kessels' },
  },
  themeConfig: {
    search: { provider: 'local' },
    editLink: { pattern: 'https://example.org/edit/:path', text: 'Navigationword edit' },
    nav: [{ text: 'Navigationword top', link: '/guide/' }],
    sidebar: [
      {
        text: 'Navigationword first steps',
        items: [
          { text: 'Navigationword start', link: '/guide/' },
          { text: 'Navigationword parts', link: '/guide/parts' },
          { text: 'Navigationword code', link: '/guide/code' },
        ],
      },
      { text: 'Navigationword more', items: [{ text: 'Navigationword formulas', link: '/guide/formulas' }] },
    ],
    footer: { message: 'Navigationword footer', copyright: 'Navigationword copyright' },
  },
  transformHead({ pageData }) {
    if (pageData.frontmatter.layout === 'home') return [];
    const path = pageData.relativePath.replace(/^de\//, '');
    return [
      ['link', { rel: 'canonical', href: hostname + urlOf(pageData.relativePath) }],
      ...(pageData.frontmatter.translated
        ? [
            ['link', { rel: 'alternate', hreflang: 'en', href: hostname + urlOf(path) }],
            ['link', { rel: 'alternate', hreflang: 'de', href: hostname + urlOf(`de/${path}`) }],
          ]
        : []),
    ];
  },
});
