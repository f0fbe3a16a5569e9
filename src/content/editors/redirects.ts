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
    // A link of a document in a mail has both.
    for (let step = 0; step < 4; step++) {
      const href = attribute(link, 'href')?.trim() ?? '';
      const parameters = redirect.test(href) ? parseUrl(href)?.searchParams : undefined;
      // A page of results has what was searched for in `q`, too.
      const target = parameters?.get('url') ?? parameters?.get('q') ?? '';
      if (!/^(?:https?:\/\/[^/]|mailto:[^?])/i.test(target)) return;
      setAttribute(link, 'href', target);
    }
  },
};
