import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  buildWithPackages,
  buildWithProgram,
  measureFeed,
  shownText,
  sourcesOf,
} from '../../support/generated-sites.ts';
import { listFaults } from '../../support/site-gate.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeOnline, describeWith } from '../../support/tools.ts';

const url = 'https://docs.example.com/';

/** The pages that a feed has, after it was measured that each is complete. */
async function publish(root: string, theme: keyof typeof shownText): Promise<readonly string[]> {
  const measure = await measureFeed(root, url, shownText[theme]);
  expect(listFaults(measure)).toEqual([]);
  return measure.pages.map(({ file }) => file);
}

describeOnline('the feed of a site that a generator from npm built (needs a registry)', () => {
  it('is complete for Starlight', async () => {
    // The newest versions that run on Node 20.
    const root = await buildWithPackages(
      'starlight',
      ['astro@5', '@astrojs/starlight@0.36', 'sharp'],
      ['astro', 'build', '--outDir', 'OUT'],
    );
    expect(await publish(root, 'starlight')).toEqual([
      'de/guides/start/index.html',
      'guides/code/index.html',
      'guides/nosearch/index.html',
      'guides/start/index.html',
      'index.html',
    ]);
  });

  it('is complete for Docusaurus', async () => {
    const packages = ['core', 'preset-classic', 'theme-mermaid', 'plugin-client-redirects'].map(
      (name) => `@docusaurus/${name}@3`,
    );
    const root = await buildWithPackages(
      'docusaurus',
      [
        ...packages,
        '@mermaid-js/layout-elk',
        '@mdx-js/react@3',
        'react@18',
        'react-dom@18',
        'remark-math@6',
        'rehype-katex@7',
      ],
      ['docusaurus', 'build', '--out-dir', 'OUT'],
    );
    expect(await publish(root, 'docusaurus')).toContain('guide/start.html');
    // Webpack builds each language twice.
  }, 900_000);

  it('is complete for Eleventy', async () => {
    const packages = [
      '@11ty/eleventy@3',
      '@11ty/eleventy-plugin-syntaxhighlight',
      'markdown-it-footnote',
      'markdown-it-anchor',
      'markdown-it-container',
    ];
    const root = await buildWithPackages('eleventy', packages, ['eleventy', '--output=OUT']);
    expect(await publish(root, 'eleventy')).toEqual([
      'de/guide/start/index.html',
      'guide/start/index.html',
      'index.html',
    ]);
  });
});

describeWith('mkdocs', 'the feed of a site that MkDocs built', (mkdocs) => {
  it.each(['material', 'readthedocs'] as const)('is complete with the theme %s', async (theme) => {
    const root = await buildWithProgram('mkdocs', mkdocs, ['build', '-q', '-f', `${theme}.yml`, '-d', 'OUT']);
    expect(await publish(root, theme)).toEqual([
      'guide/code/index.html',
      'guide/start/index.html',
      'index.html',
    ]);
  });
});

describeWith('sphinx', 'the feed of a site that Sphinx built', (sphinx) => {
  it.each([
    ['furo', 'furo'],
    ['sphinx_rtd_theme', 'readthedocs'],
    ['alabaster', 'readthedocs'],
  ] as const)('is complete with the theme %s', async (theme, shown) => {
    const root = await buildWithProgram('sphinx', sphinx, [
      '-q',
      '-b',
      'html',
      '-D',
      `html_theme=${theme}`,
      '.',
      'OUT',
    ]);
    expect(await publish(root, shown)).toEqual([
      'guide/code.html',
      'guide/myst.html',
      'guide/start.html',
      'index.html',
    ]);
  });
});

describeWith('jekyll', 'the feed of a site that Jekyll built', (jekyll) => {
  it('is complete', async () => {
    const root = await buildWithProgram('jekyll', jekyll, ['build', '-q', '-d', 'OUT']);
    expect(await publish(root, 'jekyll')).toContain('guide/start/index.html');
  });
});

describe('the feed of a site in the markup of mdBook', () => {
  it('is complete', async () => {
    const root = join(temporaryFolder(), 'built');
    await cp(sourcesOf('mdbook'), root, { recursive: true });
    expect(await publish(root, 'mdbook')).toEqual(['guide/code.html', 'guide/start.html', 'index.html']);
  });
});
