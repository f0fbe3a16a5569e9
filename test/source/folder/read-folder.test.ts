import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readFolder } from '../../../src/source/folder/read-folder.ts';
import { type Tree, writeTree } from '../../support/folder-layouts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let root: string;
beforeEach(() => {
  root = temporaryFolder();
});

const write = (files: Tree) => writeTree(root, files);

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing was thrown');
}

describe('readFolder', () => {
  it('puts the language files of an article together', () => {
    write({
      'articles/reset/en.md':
        '---\narticle_id: 4fq8d7s2ka\ntitle: Reset\nis_published: true\n---\nHello *you*\n',
      'articles/reset/de.html': '---\ntitle: Zurücksetzen\nis_live: false\n---\n<p>Hallo</p>\n',
    });
    expect(readFolder(root).articles).toMatchObject([
      {
        folder: 'articles/reset',
        language: 'en',
        files: [{ name: 'de.html' }, { name: 'en.md', text: 'Hello *you*' }],
        record: {
          article_id: '4fq8d7s2ka',
          title: 'Reset',
          is_published: true,
          body: '<p>Hello <em>you</em></p>',
          multilingual: [
            { language_code: 'de', title: 'Zurücksetzen', is_live: false, body: '<p>Hallo</p>' },
          ],
        },
      },
    ]);
  });

  it('reads a category description from the body, and from the front matter first', () => {
    write({
      'categories/a/en.md': '---\ncategory_id: c1\ntitle: A\nsort_order: 2\n---\nAbout *A*.\n',
      'categories/a/fr.md': '---\ntitle: Ah\ndescription: Sur A\n---\nother\n',
    });
    expect(readFolder(root).categories[0]?.record).toEqual({
      category_id: 'c1',
      title: 'A',
      sort_order: 2,
      description: 'About *A*.',
      multilingual: [{ language_code: 'fr', title: 'Ah', description: 'Sur A' }],
    });
  });

  it('reads a title that looks like a number as text', () => {
    write({ 'articles/a/en.md': '---\ntitle: 2024\ntags: [1, 1.10]\n---\n' });
    expect(readFolder(root).articles[0]?.record).toMatchObject({ title: '2024', tags: ['1', '1.10'] });
  });

  it('puts image files into the body', () => {
    write({
      'images/dot one.png': new Uint8Array([1, 2, 3]),
      'articles/a/en.md':
        '---\ntitle: A\n---\n![Dot](../../images/dot%20one.png) ![Web](https://example.com/x.png)\n',
    });
    expect(readFolder(root).articles[0]?.record.body).toBe(
      '<p><img src="data:image/png;base64,AQID" alt="Dot" /> <img src="https://example.com/x.png" alt="Web" /></p>',
    );
  });

  it('names every mistake with its file, and reads nothing', () => {
    write({
      'articles/large/en.md': '---\ntitle: A\n---\n![](big.png)\n',
      'articles/large/big.png': new Uint8Array(256 * 1024 + 1),
      'articles/missing/en.md': '---\ntitle: A\n---\n![](none.png)\n',
      'articles/outside/en.md': '---\ntitle: A\n---\n![](../../../../../../etc/hostname.png)\n',
      'articles/type/en.md': '---\ntitle: A\n---\n![](../../articles/type/en.md)\n',
      'articles/untitled/en.md': '---\ntags: x\n---\n',
      'articles/typo/en.md': '---\ntitle: A\nis_publishd: true\n---\n',
      'articles/language/en.md': '---\narticle_id: aaaaaaaaaa\ntitle: A\n---\n',
      'articles/language/de_DE.md': '---\ntitle: A\n---\n',
      'articles/open/en.md': 'no front matter\n',
    });
    expect(messageOf(() => readFolder(root))).toMatchInlineSnapshot(`
      "articles/language: de_DE.md: language_code must be a language tag such as "de" or "pt-BR"
        articles/large/en.md: the image big.png has 262145 bytes; the limit is 262144
        articles/missing/en.md: the image none.png does not exist
        articles/open/en.md: the file must begin with a line "---" and its front matter
        articles/outside/en.md: the image ../../../../../../etc/hostname.png is outside the folder
        articles/type/en.md: the image ../../articles/type/en.md has no known image type
        articles/typo: en.md: must not have "is_publishd"
        articles/untitled: en.md: title is missing; en.md: tags must be an array"
    `);
  });

  it('refuses to follow a link out of the folder', () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'secret.png'), 'secret');
    write({ 'articles/a/en.md': '---\ntitle: A\n---\n![](x.png)\n' });
    symlinkSync(join(outside, 'secret.png'), join(root, 'articles/a/x.png'));
    expect(messageOf(() => readFolder(root))).toContain('x.png is outside the folder');
  });

  it('finds the main file of a new record: that in the default language, else the one with fields of the whole record', () => {
    write({
      'articles/a/de.md': '---\ntitle: Neu\n---\n',
      'articles/a/en.md': '---\ntitle: New\nis_published: true\n---\n',
      'categories/c/de.md': '---\ntitle: Teil\n---\n',
      'categories/c/en.md': '---\ntitle: Part\nsort_order: 1\n---\n',
    });
    for (const language of ['en', 'EN', 'fr', null]) {
      const { articles, categories } = readFolder(root, language);
      expect(articles).toMatchObject([
        { language: 'en', record: { title: 'New', is_published: true, multilingual: [{ title: 'Neu' }] } },
      ]);
      expect(categories).toMatchObject([{ language: 'en', record: { title: 'Part', sort_order: 1 } }]);
    }
    write({
      'articles/a/en.md': '---\ntitle: New\n---\n',
      'categories/c/en.md': '---\ntitle: Part\n---\n',
    });
    const [draft] = readFolder(root, 'de').articles;
    expect(draft).toMatchObject({
      language: 'de',
      record: { title: 'Neu', multilingual: [{ title: 'New' }] },
    });
    expect(draft?.record).not.toHaveProperty('is_published');
  });

  it('takes no translation for the record, and loses no visibility that a translation states', () => {
    write({
      'articles/a/de.md': '---\ntitle: A\nis_private: true\n---\n',
      'articles/a/en.md': '---\ntitle: A\nis_published: true\n---\n',
      'articles/b/de.md': '---\ntitle: B\nis_published: true\n---\n',
      'articles/b/en.md': '---\ntitle: B\n---\n',
      'articles/c/de.md': '---\ntitle: C\n---\n',
      'articles/c/fr.md': '---\ntitle: C\n---\n',
    });
    expect(messageOf(() => readFolder(root, 'en'))).toMatchInlineSnapshot(`
      "articles/a: de.md has is_private, which belongs in the file in the default language, en.md; move it there, or set defaultLanguage (LECTERN_DEFAULT_LANGUAGE) to the language of your main files
        articles/b: de.md has is_published, which belongs in the file in the default language, en.md; move it there, or set defaultLanguage (LECTERN_DEFAULT_LANGUAGE) to the language of your main files
        articles/c: no file has article_id or category_id, so it is unknown which one is in the default language; write a field of the whole record into it, such as is_published: false"
    `);
    expect(messageOf(() => readFolder(root, null))).toContain(
      'articles/a: de.md and en.md both have fields of the whole record; only one file may',
    );
  });

  it('refuses two records with one id, and two files that both claim to be the default language', () => {
    write({
      'articles/a/en.md': '---\narticle_id: aaaaaaaaaa\ntitle: A\n---\n',
      'articles/b/en.md': '---\narticle_id: aaaaaaaaaa\ntitle: B\n---\n',
      'articles/c/de.md': '---\narticle_id: cccccccccc\ntitle: C\n---\n',
      'articles/c/en.md': '---\narticle_id: cccccccccc\ntitle: C\n---\n',
      'articles/d/de.md': '---\ntitle: D\n---\n',
      'articles/d/en.md': '---\ntitle: D\n---\n',
    });
    expect(messageOf(() => readFolder(root))).toMatchInlineSnapshot(`
      "articles/c: de.md and en.md both have article_id or category_id; only one file may
        articles/d: no file has article_id or category_id, so it is unknown which one is in the default language; write a field of the whole record into it, such as is_published: false
        articles/b: articles/a has the same id aaaaaaaaaa"
    `);
  });

  it('says so when there is nothing to read', () => {
    expect(messageOf(() => readFolder(root))).toContain('has no folder "articles" or "categories"');
  });
});
