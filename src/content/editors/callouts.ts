import { newElement, rename, setAttribute, shortText } from '../parse/edit-tree.ts';
import { attribute, childrenOf } from '../parse/source-tree.ts';
import type { EditorRule } from './editor-rule.ts';

/** Background colours of Intercom's callouts, whose class says nothing of their kind. */
const intercomColours: Readonly<Record<string, string>> = {
  '#feedaf': 'warning',
  '#fed9db': 'caution',
  '#d7efdc': 'tip',
};

/** Kinds of HubSpot's callouts. */
const hubSpotTypes: ReadonlySet<string> = new Set([
  'note',
  'tip',
  'important',
  'warning',
  'caution',
  'danger',
]);

export const calloutRules: readonly EditorRule[] = [
  {
    editor: 'Intercom',
    report: 'bodies of published articles',
    hasClass: 'intercom-interblocks-callout',
    rewrite(node) {
      const colour = /background-color:\s*(#[0-9a-f]{6})/i.exec(attribute(node, 'style') ?? '')?.[1];
      setAttribute(
        node,
        'class',
        `callout callout-${intercomColours[colour?.toLowerCase() ?? ''] ?? 'note'}`,
      );
    },
  },
  {
    editor: 'Notion',
    report: 'https://www.notion.com/help/export-your-content',
    on: 'figure',
    hasClass: 'callout',
    rewrite(node) {
      if (childrenOf(node).some(({ name }) => name === 'figcaption') || shortText(node).trim() === '') return;
      const colour = /block-color-([a-z]+)_background/.exec(attribute(node, 'class') ?? '')?.[1];
      rename(node, newElement('div', { class: `callout ${colour ?? ''}` }));
    },
  },
  {
    editor: 'HubSpot',
    report: 'bodies of published articles',
    has: 'data-hs-callout-type',
    rewrite(node) {
      const type = attribute(node, 'data-hs-callout-type')?.toLowerCase() ?? '';
      setAttribute(node, 'class', `callout callout-${hubSpotTypes.has(type) ? type : 'note'}`);
    },
  },
];
