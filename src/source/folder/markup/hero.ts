import type { UnknownRecord } from '../../../core/unknown-record.ts';
/** The home page that front matter describes (`hero`, `features` of VitePress and Starlight), as text and links. */
export function heroText(data: UnknownRecord): string {
  const hero = fieldsOf(data.hero);
  const head = [text(hero.text), text(hero.tagline)].filter((one) => one !== '');
  const actions = listOf(hero.actions).flatMap((action) => linkItem(text(action.text), text(action.link)));
  const features = listOf(data.features).map((feature) => {
    const title = linkOf(text(feature.title), text(feature.link));
    const more = text(feature.details);
    return `- **${title}**${more === '' ? '' : `: ${more}`}`;
  });
  return [...head, actions.join('\n'), features.join('\n')].filter((one) => one !== '').join('\n\n');
}

function linkItem(title: string, link: string): readonly string[] {
  return title === '' ? [] : [`- ${linkOf(title, link)}`];
}

function linkOf(title: string, link: string): string {
  return link === '' ? title : `[${title}](${escapeAddress(link)})`;
}

function fieldsOf(value: unknown): UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as UnknownRecord) : {};
}

function listOf(value: unknown): readonly UnknownRecord[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** An address in a link of Markdown. */
export function escapeAddress(address: string): string {
  return address
    .replace(/[<>\s]/g, encodeURIComponent)
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
}
