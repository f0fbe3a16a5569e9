import { asideComponent, commonComponents, noteContainers, titledComponent } from './common.ts';
import { propOf, showInside } from './components.ts';
import { escapeAddress, heroText } from './hero.ts';
import type { Component, ComponentRule, Markup } from './rules.ts';

/** A link; `null` without a literal address. */
function linkTo(component: Component, title: string): string | null {
  const href = propOf(component, 'href');
  if (href === '') return null;
  return `[${title.replace(/[[\]]/g, '\\$&')}](${escapeAddress(href)})`;
}

const linkCard: ComponentRule = (component) => {
  const link = linkTo(component, propOf(component, 'title'));
  const description = propOf(component, 'description');
  return link === null ? null : `**${link}**${description === '' ? '' : `\n\n${description}`}`;
};

const linkButton: ComponentRule = (component) =>
  linkTo(component, component.inside.trim().replace(/\s+/g, ' '));

const code: ComponentRule = (component, page) => {
  const { props } = component;
  const text = props.get('code');
  if (typeof text !== 'string') return null;
  return page.code.block(text, { language: propOf(component, 'lang'), title: propOf(component, 'title') });
};

/** Starlight, with its built-in components. */
export const starlightMarkup: Markup = {
  compose: (text, page) => {
    const hero = heroText(page.data);
    return hero === '' ? text : `${hero}\n\n${text}`;
  },
  components: {
    syntax: 'mdx',
    rules: {
      ...commonComponents.rules,
      Aside: asideComponent,
      Card: titledComponent,
      LinkCard: linkCard,
      LinkButton: linkButton,
      Code: code,
      Fragment: showInside,
    },
    inline: [...commonComponents.inline, 'LinkButton'],
  },
  blocks: [noteContainers],
  raw: [/^[ \t]*:::+.*$/gm],
};
