import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { siteSettings } from '../../src/core/config/site-settings.ts';
import type { Category } from '../../src/core/model.ts';
import { guessIcon, iconNames } from '../../src/site/pages/category-icons.ts';
import { createSite } from '../../src/site/pages/site.ts';
import { builtInTemplates } from '../../src/site/pages/template-files.ts';
import { article, category } from '../support/knowledge-base.ts';
import { planOf } from './support/fixture.ts';
import { renderOthers } from './support/render-others.ts';

async function homeOf(...categories: readonly Category[]): Promise<string> {
  const articles = categories.map(({ id }, at) =>
    article(`aaaaaaaaa${at + 1}`, { en: 'One' }, { categoryId: id }),
  );
  const site = await createSite(planOf(articles, categories), siteSettings.parse({}), {
    templatesFolder: null,
    iframeHosts: [],
  });
  for await (const { path, content } of renderOthers(site))
    if (path === 'en/index.html') return content.toString();
  return '';
}

/** A home page of three categories, the others with an icon. */
function homeWith(icon: string | null, title = 'Billing'): Promise<string> {
  return homeOf(
    category('ccccccccc1', { en: title }, { icon }),
    category('ccccccccc2', { en: 'Two' }, { icon: 'star' }),
    category('ccccccccc3', { en: 'Three' }, { icon: 'flag' }),
  );
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
  for (const none of [null, 'constructor', '<img src=x>'])
    expect(await homeWith(none, '…')).not.toContain('class="symbol"');
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
  ['Windows', 'windows'],
  ['AdGuard for Android', 'android'],
  ['iOS', 'smartphone'],
  ['Mac', 'laptop'],
  ['Linux', 'terminal'],
  ['Browser extension', 'browser'],
  ['Tickets', 'ticket'],
  ['API', 'code'],
  ['Reports', 'chart'],
  ['Automations', 'bolt'],
  ['Apply for a grant', null],
  ['Miscellaneous', null],
])('The title %j suggests the icon %j', (title, icon) => {
  expect(guessIcon(title)).toBe(icon);
});

test('A home page shows an icon for each category or for none', async () => {
  const named = category('ccccccccc1', { en: 'Billing' });
  const plain = (at: number) => category(`ccccccccc${at}`, { en: `Plain ${at}` });
  expect(await homeOf(named, plain(2))).not.toContain('class="symbol"');
  const key = category('ccccccccc3', { en: 'Etc.' }, { icon: '🔑' });
  expect(await homeOf(named, plain(2), key)).not.toContain('class="symbol"');
  expect((await homeOf(named, key)).match(/class="symbol"/g)).toHaveLength(2);
});

test('The documentation names every icon', async () => {
  const documentation = await readFile(fileURLToPath(new URL('../../docs/site.md', import.meta.url)), 'utf8');
  const template = await readFile(join(builtInTemplates, 'partials/category-symbol.eta'), 'utf8');
  const names = [...template.matchAll(/^ {2}(\w+): '</gm)].map(([, name]) => name ?? '');
  expect(names.length).toBeGreaterThan(20);
  expect(names.toSorted()).toEqual([...iconNames].toSorted());
  for (const name of names) expect(documentation).toContain(`\`${name}\``);
});
