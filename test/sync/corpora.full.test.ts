import { join } from 'node:path';
import { expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import type { Client } from '../../src/source/api/client-types.ts';
import { settings } from '../content/settings.ts';
import { startTestService } from '../service/support/service.ts';
import { everyNth } from '../support/properties.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { corporaFolder, describeWithCorpora } from '../support/tools.ts';
import { clientOf, pull, pullWithForms, push, readFiles } from './support.ts';

const shown = /<(?:h[1-6]|[ou]l|li|code|pre|table|tr|t[dh]|blockquote|details)\b| (?:href|src)="[^"]*"/g;

/** The visible content of every body of a service: id and language → text, elements and URLs. */
async function readPages(client: Client): Promise<Readonly<Record<string, string>>> {
  const pages: Record<string, string> = {};
  const add = (id: string, language: string, body: string | null | undefined): void => {
    const { html, text } = transform(body ?? '', settings({ language }));
    pages[`${id} ${language}`] = [text, ...(html.match(shown) ?? [])].join('\n');
  };
  await client.readEveryArticle({
    restart: () => {},
    take({ article_id, body, multilingual }) {
      add(article_id, 'en', body);
      for (const one of multilingual) add(article_id, one.language_code, one.body);
    },
  });
  return pages;
}

describeWithCorpora('pull and push of real knowledge bases', () => {
  it.each(everyNth(3, ['login-gov-help', 'opensource-guide', 'arduino-help']))(
    'make no difference to %s, and nearly all of it is Markdown',
    async (name) => {
      const first = clientOf(
        await startTestService({ seed: join(corporaFolder, `${name}.json`), requestsPerMinute: 0 }),
      );
      const second = clientOf(await startTestService({ requestsPerMinute: 0 }));
      const root = join(temporaryFolder(), 'kb');
      const { forms } = await pullWithForms(first, root);
      const html = [...forms.html.values()].reduce((sum, count) => sum + count, 0);
      expect(forms.markdown / (forms.markdown + html)).toBeGreaterThan(0.8);
      expect(await push(first, root)).toEqual([]);
      await push(second, root, { deletes: true }, 'https://other/v1');
      const [before, after] = [await readPages(first), await readPages(second)];
      const differing = Object.keys(before).filter((id) => before[id] !== after[id]);
      expect(differing).toEqual([]);
      const copy = join(temporaryFolder(), 'copy');
      await pull(second, copy);
      expect(readFiles(copy)).toEqual(readFiles(root));
    },
  );
});
