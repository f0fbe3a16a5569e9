import { admonitions, callout, calloutKinds, containers, details, tabs } from './blocks.ts';
import { propOf, showInside, showNothing } from './components.ts';
import type { Component, ComponentRule, ComponentRules, Markup } from './rules.ts';

/** `:::note`, with the kinds of most generators. */
export const noteContainers = containers(({ name, title, lines }, page) => {
  const kind = calloutKinds[name.toLowerCase()];
  if (name.toLowerCase() === 'details') return details(title || 'Details', page.convert(lines), page);
  return kind === undefined ? null : callout(kind, title, page.convert(lines));
});

/** A callout that a component shows. */
export const asideComponent: ComponentRule = (component) => {
  const kind = calloutKinds[propOf(component, 'type').toLowerCase()] ?? 'note';
  return callout(kind, propOf(component, 'title'), component.inside.trim().split('\n')).join('\n');
};

/** A title in bold and the content below. */
export const titledComponent: ComponentRule = (component) => {
  const title = propOf(component, 'title');
  return title === '' ? component.inside : `**${title}**\n\n${component.inside}`;
};

/** A group of tabs: the components in it with a label. */
export const tabsComponent: ComponentRule = ({ parts, inside, props }, page) => {
  const all = parts.filter(({ name }) => name === 'TabItem');
  if (all.length === 0) return inside;
  const values = String(props.get('values') ?? '');
  const labels = new Map(
    [...values.matchAll(/\{[^{}]*\}/g)].map(([one]) => [textIn(one, 'value'), textIn(one, 'label')]),
  );
  const titleOf = (part: Component): string =>
    propOf(part, 'label') || labels.get(propOf(part, 'value')) || propOf(part, 'value');
  return tabs(
    all.map((part) => ({ title: titleOf(part), lines: part.inside.trim().split('\n') })),
    page,
  ).join('\n');
};

/** A text in an object that is written as code. */
function textIn(object: string, key: string): string {
  return new RegExp(`\\b${key}\\s*:\\s*(["'\`])(.*?)\\1`).exec(object)?.[2] ?? '';
}

/** Small text beside other text. */
export const badgeComponent: ComponentRule = (component, page) => {
  const text = propOf(component, 'text') || component.inside.trim();
  return text === '' ? '' : `<small>${page.code.toHtml(text)}</small>`;
};

/** Components that generators share. */
export const commonComponents: ComponentRules = {
  syntax: 'mdx',
  rules: {
    Tabs: tabsComponent,
    TabItem: showInside,
    Steps: showInside,
    FileTree: showInside,
    CardGrid: showInside,
    Card: titledComponent,
    Aside: asideComponent,
    Admonition: asideComponent,
    Badge: badgeComponent,
    Icon: showNothing,
  },
  inline: ['Badge', 'Icon'],
};

/** The syntax of folders without rules of their own. */
export const commonMarkup: Markup = {
  hasComments: true,
  prepare: (text, page) =>
    text
      .replace(/\{\/\*[\s\S]*?\*\/\}/g, '')
      .replace(/\{\{\/\*[\s\S]*?\*\/\}\}/g, '')
      .replace(/\{\{[<%]\s*comment\s*[%>]\}\}[\s\S]*?\{\{[<%]\s*\/comment\s*[%>]\}\}/g, '')
      .replace(/\{\{[<%]\s*(?:rel)?ref\s+"([^"]+)"\s*[%>]\}\}/g, (_all, path: string) => {
        page.refs.add(path.replace(/#.*/s, ''));
        return path;
      }),
  components: commonComponents,
  blocks: [noteContainers, admonitions],
  raw: [/\{\{[<%]\s*\/?[\w/.-]+[^}]*\}\}/g],
};
