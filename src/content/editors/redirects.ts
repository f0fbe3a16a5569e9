import { parseUrl } from '../../core/addresses.ts';
import { setAttribute } from '../parse/edit-tree.ts';
import { attribute } from '../parse/source-tree.ts';
import type { EditorRule } from './editor-rule.ts';

/** Pages that lead on to another one, which a parameter names. */
const redirect = /^https?:\/\/(?:www\.google\.com\/url|[\w.-]+\.safelinks\.protection\.outlook\.com\/)\?/i;

/** Exports of Google Docs and mails of Outlook have no direct links; those of Outlook name the reader of the mail. */
export const redirectRule: EditorRule = {
  editor: 'Google Docs, Outlook',
  report: 'ruby/dev-meeting-log#10',
  on: 'a',
  has: 'href',
  rewrite(link) {
    const href = attribute(link, 'href')?.trim() ?? '';
    const parameters = redirect.test(href) ? parseUrl(href)?.searchParams : undefined;
    const target = parameters?.get('q') ?? parameters?.get('url') ?? '';
    if (/^(?:https?|mailto):/i.test(target)) setAttribute(link, 'href', target);
  },
};
