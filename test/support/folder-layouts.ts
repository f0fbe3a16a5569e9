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

/** A small help centre about a bicycle workshop, in both layouts of a folder. */
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
  plain: {
    'index.md': '# Welcome\n\nStart with [the chain](basics/chain.md).',
    'basics/chain.md':
      '# Oil the chain\n\n> [!WARNING] Careful\n> One drop.\n\n```\n[[not a link]]\n```\n\n![drops](img/oil.png)\n\nSee [brakes](brakes.md#pads).',
    'basics/chain.de.md': '# Kette ölen\n\nEin Tropfen.',
    'basics/brakes.md': 'Adjust the brakes\n=================\n\n## Pads\n\nTurn.',
    'basics/img/oil.png': png(20, 10),
    'basics/_notes.md': secret,
    'config.ts.md': '# A file in TypeScript\n\nIts name is no language.',
    'prices.md': page('draft: True', secret),
    'node_modules/x/readme.md': secret,
  },
} as const satisfies Readonly<Record<string, Tree>>;
