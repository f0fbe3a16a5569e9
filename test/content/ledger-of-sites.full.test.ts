import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { beforeAll, expect, it } from 'vitest';
import { countSource, missingWords, shownText, type Tally } from '../../src/content/ledger.ts';
import { parseBody } from '../../src/content/parse/parse-body.ts';
import type { SourceNode } from '../../src/content/parse/source-tree.ts';
import type { DocumentRecord } from '../../src/feed/records/record-schemas.ts';
import { everyNth } from '../support/properties.ts';
import { publishCorpus } from '../support/publish-corpus.ts';
import type { PublishedSite } from '../support/publish-site.ts';
import { describeWithCorpora } from '../support/tools.ts';

interface Stage {
  readonly tally: Tally;
  readonly text: string;
}

const readHtml = (html: string): Stage => {
  const root: SourceNode = parseBody(html);
  return { tally: countSource(root, () => null), text: shownText(root).normalize('NFKD') };
};

const readMarkdown = (markdown: string): Stage =>
  readHtml(
    micromark(markdown, {
      extensions: [gfm(), { disable: { null: ['wwwAutolink', 'protocolAutolink', 'emailAutolink'] } }],
      htmlExtensions: [gfmHtml()],
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
    }),
  );

/** The body of an article on its page. */
const proseOf = (page: string): string =>
  /<div class="prose"[^>]*>\n?([\s\S]*?)\n<\/div>\n<div class="article-tools">/.exec(page)?.[1] ?? '';

/** The kind of a callout and the language of code are written as such in Markdown, and not as words. */
const withoutLabels = (prose: string): string =>
  prose.replace(/<p class="callout-title">[^<]*<\/p>|<div class="code-head">.*?<\/div>/g, ' ');
const kindWord = /^(?:note|tip|important|warning|caution)$/i;

describeWithCorpora.each(everyNth(3, ['login-gov-help', 'arduino-help', 'opensource-guide']))(
  'the ledger of %s, from the bodies to the published files',
  { timeout: 300_000 },
  (name) => {
    let site: PublishedSite;
    let documents: readonly DocumentRecord[];
    beforeAll(async () => {
      site = await publishCorpus(name, { siteUrl: 'https://help.example.com' });
      documents = [...site.files]
        .filter(([path]) => /^feed\/[^/]+\/source\.json$/.test(path))
        .flatMap(
          ([, content]) =>
            (JSON.parse(Buffer.from(content).toString()) as { articles: DocumentRecord[] }).articles,
        );
    });

    it('nothing of a body is lost', () => {
      expect(documents.length).toBeGreaterThan(200);
      expect(site.report.problems.filter(({ code }) => code === 'CONTENT_LOST')).toEqual([]);
    });

    it('the Markdown of each document has the words, the links and the code of its page', () => {
      const differing = documents.flatMap(({ id, url, markdown }) => {
        const path = decodeURI(new URL(url).pathname).slice(1);
        const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
        const page = readHtml(withoutLabels(proseOf(Buffer.from(site.files.get(file) ?? '').toString())));
        const copy = readMarkdown(markdown);
        const words = missingWords(page.text, copy.text).filter((found) => !kindWord.test(found));
        const links = page.tally.links - copy.tally.links;
        const code = page.tally.code - copy.tally.code;
        return words.length === 0 && links <= 0 && code === 0
          ? []
          : [{ id, words: words.slice(0, 6), links, code }];
      });
      expect(differing).toEqual([]);
    });
  },
);
