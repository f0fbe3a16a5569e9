import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { png } from '../site/media/images.ts';

/** Path → content. */
export type Tree = Readonly<Record<string, string | Uint8Array>>;

/** Writes files below a folder. */
export function writeTree(root: string, files: Tree): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** A page with front matter, given as lines of YAML. */
export function page(fields: string, body: string): string {
  return `---\n${fields}\n---\n${body}\n`;
}

/** Text in every layout that must never be published. */
const secret = 'TOPSECRET';

/** A small help centre about a bicycle workshop, in the layouts of several programs. */
export const layouts = {
  pulled: {
    'categories/basics/en.md': page('category_id: basics0000\ntitle: Basics', 'Where to begin.'),
    'categories/basics/de.md': page('title: Grundlagen', ''),
    'articles/chain/en.md': page(
      'article_id: chain00000\ncategory_id: basics0000\ntitle: Oil the chain\nis_published: true\nis_private: false\nupdated_at: "2026-03-01T00:00:00Z"',
      'Use ![drops](../../images/oil.png) and see [brakes](../brakes/en.md#pads).',
    ),
    'articles/chain/de.html': page(
      'title: Kette ölen',
      '<p>Mit <img src="../../images/oil.png" alt="Tropfen">.</p>',
    ),
    'articles/brakes/en.md': page(
      'title: Adjust the brakes\ncategory_id: basics0000\nis_published: true\nis_private: false',
      '## Pads\n\nTurn the screw.',
    ),
    'articles/prices/en.md': page(`title: ${secret}\nis_published: false\nis_private: false`, secret),
    'articles/staff/en.md': page(`title: ${secret}\nis_published: true`, secret),
    'images/oil.png': png(20, 10),
  },
  docusaurus: {
    'docusaurus.config.js': '',
    'docs/index.md': page('slug: /\ntitle: Welcome', 'Start with [the chain](./basics/01-chain.md).'),
    'docs/basics/_category_.json':
      '{ "label": "The basics", "position": 2, "description": "Where to begin" }',
    'docs/basics/01-chain.md': page(
      'title: Oil the chain\ntags: [care, { label: Winter, permalink: /winter }]\nlast_update:\n  date: 2026-03-01',
      "import Tabs from '@theme/Tabs';\n\n# Oil the chain\n\n:::tip[Less is more]\nOne drop.\n:::\n\n{/* TOPSECRET */}\n\n![drops](./oil.png) ![logo](/img/logo.png) [brakes](../brakes.md#pads) [by address](/docs/brakes)",
    ),
    'docs/basics/oil.png': png(20, 10),
    'docs/brakes.md': page(
      'sidebar_position: 1\ndescription: Screws and pads',
      '# Adjust the brakes\n\n## The pads {#pads}\n\nTurn.',
    ),
    'docs/prices.md': page('draft: true', secret),
    'docs/hidden.md': page('unlisted: true', secret),
    'docs/_partial.md': secret,
    'static/img/logo.png': png(30, 30),
    'i18n/de/docusaurus-plugin-content-docs/current/basics/01-chain.md': page(
      'title: Kette ölen',
      'Ein Tropfen. [Bremsen](../brakes.md)',
    ),
    'node_modules/x/readme.md': secret,
  },
  starlight: {
    'astro.config.mjs': '',
    'src/content/docs/guides/chain.md': page(
      'title: Oil the chain\nlastUpdated: 2026-03-01\nsidebar:\n  order: 2',
      ':::caution\nOne drop.\n:::\n\n![drops](../../../assets/oil.png)\n\n[brakes](/guides/brakes/#pads) and [again](../brakes/)',
    ),
    'src/content/docs/de/guides/chain.md': page(
      'title: Kette ölen',
      'Ein Tropfen. [Bremsen](/de/guides/brakes/)',
    ),
    'src/content/docs/guides/brakes.md': page('title: Adjust the brakes', '## Pads\n\nTurn.'),
    'src/content/docs/guides/prices.md': page('title: Prices\ndraft: true', secret),
    'src/content/docs/index.mdx': page('title: Home\ntemplate: splash', `<Staff>${secret}</Staff>`),
    'src/assets/oil.png': png(20, 10),
  },
  mkdocs: {
    'mkdocs.yml': 'site_name: Workshop',
    'docs/index.md': '# Welcome\n\nStart with [the chain](basics/chain.md).',
    'docs/basics/chain.md':
      '# Oil the chain\n\n!!! warning "Careful"\n    One drop.\n\n    ```\n    !!! not a note\n    ```\n\n![drops](img/oil.png)\n\nSee [brakes](brakes.md#pads).',
    'docs/basics/chain.de.md': '# Kette ölen\n\nEin Tropfen.',
    'docs/basics/brakes.md': 'Adjust the brakes\n=================\n\n## Pads\n\nTurn.',
    'docs/basics/img/oil.png': png(20, 10),
    'docs/config.ts.md': '# A file in TypeScript\n\nIts name is no language.',
    'docs/prices.md': page('draft: True', secret),
  },
  hugo: {
    'hugo.toml': "title = 'Workshop'",
    'content/basics/_index.md': page('title: The basics\ndescription: Where to begin\nweight: 3', ''),
    'content/basics/_index.de.md': page('title: Die Grundlagen', ''),
    'content/basics/chain/index.md': page(
      'title: Oil the chain\nweight: 1\ndate: 2026-01-05\nlastmod: 2026-03-01',
      '![drops](oil.png)\n\n[brakes]({{< ref "/basics/brakes.md" >}})\n\n{{< youtube abc >}}',
    ),
    'content/basics/chain/index.de.md': page('title: Kette ölen\nlastmod: 2026-04-01', 'Ein Tropfen.'),
    'content/basics/chain/oil.png': png(20, 10),
    'content/basics/brakes.md': page('title: Adjust the brakes\nweight: 2', '## Pads\n\nTurn.'),
    'content/basics/later.md': page('title: Later\npublishDate: 2999-01-01', secret),
    'content/basics/over.md': page('title: Over\nexpiryDate: 2020-01-01', secret),
    'content/internal/_index.md': page('title: Internal\ncascade:\n  draft: true', ''),
    'content/internal/wages.md': page('title: Wages', secret),
  },
} as const satisfies Readonly<Record<string, Tree>>;
