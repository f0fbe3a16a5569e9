import { expect, test } from 'vitest';
import { createAnchorCheck } from '../../../src/site/links/anchors.ts';
import type { ArticlePage } from '../../../src/site/plan/plan.ts';

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
  const check = createAnchorCheck();
  const pages = Array.from({ length: 100 }, (_, at) => `/en/page-${at}/`);
  const steps = Array.from({ length: 1000 }, (_, at) => `step-${at}`);
  const anchors = `\n${steps.join('\n')}\n`;
  for (const [at, href] of pages.entries()) {
    const target = pages[99 - at] ?? '';
    const links = steps.flatMap((step) => [`${target}#${step}`, `${target}#${step}x`]);
    check.add({ articleId: `${at}`, language: 'en', href } as ArticlePage, { anchors, links });
  }
  const problems = check.problems();
  const missing = pages.toReversed().flatMap((href) => steps.map((step) => `${href}#${step}x`));
  expect(problems.map(({ message }) => message.split(' ')[2])).toEqual(missing);
});
