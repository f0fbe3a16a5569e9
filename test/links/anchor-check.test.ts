import { expect, test } from 'vitest';
import { AnchorSet, createAnchorCheck } from '../../src/links/anchors.ts';
import type { ArticlePage } from '../../src/plan/plan.ts';

const page = (articleId: string) => ({ articleId, language: 'en', href: `/en/${articleId}/` }) as ArticlePage;

test('A link is reported whose page has no such anchor, whichever comes first', () => {
  const check = createAnchorCheck();
  check.add(page('a'), {
    anchors: '\nintro\n',
    links: ['/en/b/#there', '/en/b/#missing', '/en/none/#there', '/en/a/#intro'],
  });
  check.add(page('b'), {
    anchors: '\nthere\nüber-uns\n',
    links: ['/en/b/#%C3%BCber-uns', '/en/b/#there:~:text=x', '/en/a/#there'],
  });
  check.add(page('c'), { anchors: '\n\n', links: [] });
  expect(check.problems().map(({ articleId, message }) => [articleId, message.split(' ')[2]])).toEqual([
    ['a', '/en/b/#missing'],
    ['a', '/en/none/#there'],
    ['b', '/en/a/#there'],
  ]);
});

test('A hundred thousand similar anchors are distinguished from as many that do not exist', () => {
  const set = new AnchorSet();
  const anchors = Array.from({ length: 1000 }, (_, at) => `step-${at}`);
  for (let at = 0; at < 100; at += 1) set.add(`/en/article/${at}/`, anchors);
  const hrefs = Array.from({ length: 100 }, (_, at) => `/en/article/${at}/`);
  expect(hrefs.every((href) => anchors.every((anchor) => set.has(href, anchor)))).toBe(true);
  expect(hrefs.some((href) => anchors.some((anchor) => set.has(href, `${anchor}x`)))).toBe(false);
  expect(hrefs.some((href) => anchors.some((anchor) => set.has(`${href}x/`, anchor)))).toBe(false);
});
