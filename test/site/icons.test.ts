import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { siteSettings } from '../../src/config/site-settings.ts';
import { guessIcon } from '../../src/site/link-views.ts';
import { createSite } from '../../src/site/site.ts';
import { builtInTemplates } from '../../src/site/template-files.ts';
import { article, category, planOf } from './support/fixture.ts';
import { renderOthers } from './support/render-others.ts';

async function homeWith(icon: string | null, title = 'Billing'): Promise<string> {
  const plan = planOf(
    [article('aaaaaaaaa1', { en: 'One' }, { categoryId: 'ccccccccc1' })],
    [category('ccccccccc1', { en: title }, { icon })],
  );
  const site = await createSite(plan, siteSettings.parse({}), {
    templatesFolder: null,
    popular: new Map(),
    iframeHosts: [],
  });
  for await (const { path, content } of renderOthers(site))
    if (path === 'en/index.html') return content.toString();
  return '';
}

function symbolIn(home: string): string {
  return /<span class="symbol" aria-hidden="true">([\s\S]*?)<\/span>/.exec(home)?.[1] ?? '';
}

test('A category shows the icon it names, an emoji as it is, and else one that suits its title', async () => {
  expect(symbolIn(await homeWith('rocket'))).toMatch(
    /^<svg viewBox="0 0 24 24" width="24" height="24"><path d="M9\.5/,
  );
  expect(symbolIn(await homeWith('🔑'))).toBe('🔑');
  expect(symbolIn(await homeWith(null))).toBe(symbolIn(await homeWith('billing')));
  const neutral = symbolIn(await homeWith(null, '…'));
  expect(neutral).toMatch(/^<svg/);
  expect(symbolIn(await homeWith('constructor'))).toBe(neutral);
  expect(symbolIn(await homeWith('<img src=x>'))).toBe(neutral);
});

test.each([
  ['Getting started', 'rocket'],
  ['Payments & invoices', 'billing'],
  ['Compte et profil', 'account'],
  ['Sicherheit und Datenschutz', 'shield'],
  ['お支払い方法', 'billing'],
  ['账户设置', 'account'],
  ['الأمان والخصوصية', 'shield'],
  ['החשבון שלך', 'account'],
  ['חשבוניות ותשלומים', 'billing'],
  ['Arduino Cloud', 'globe'],
  ['Hardware Support', 'wrench'],
  ['Apply for a grant', null],
  ['Miscellaneous', null],
])('The title %j suggests the icon %j', (title, icon) => {
  expect(guessIcon(title)).toBe(icon);
});

test('The documentation names every icon', async () => {
  const documentation = await readFile(fileURLToPath(new URL('../../docs/site.md', import.meta.url)), 'utf8');
  const template = await readFile(join(builtInTemplates, 'partials/category-symbol.eta'), 'utf8');
  const names = [...template.matchAll(/^ {2}(\w+): '</gm)].map(([, name]) => name ?? '');
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(documentation).toContain(`\`${name}\``);
});
