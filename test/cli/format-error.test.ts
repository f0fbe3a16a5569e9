import { expect, it } from 'vitest';
import { formatError } from '../../src/cli/format-error.ts';
import { createPaint } from '../../src/cli/terminal.ts';
import { LecternError } from '../../src/core/errors.ts';

const error = new LecternError(
  'CONFIG_INVALID',
  'Invalid configuration:\n  siteUrl: must be a URL such as https://help.example.com, not "nope" (lectern.config.json)',
  { hint: 'fix the settings listed above; docs/settings.md explains every setting', exitCode: 2 },
);

const style = { json: false, github: false, paint: createPaint({}, {}) } as const;

it('wraps an error at the words for a terminal, and keeps the indent of its lines', () => {
  expect(formatError(error, { ...style, width: 60 })).toMatchInlineSnapshot(`
    "error CONFIG_INVALID: Invalid configuration:
      siteUrl: must be a URL such as https://help.example.com,
        not "nope" (lectern.config.json)
    hint: fix the settings listed above; docs/settings.md
      explains every setting
    "
  `);
});

it('shows readable URLs, but the given ones in JSON', () => {
  const message = `GET https://help.example.com/${encodeURIComponent('größe')}: 404`;
  const broken = new LecternError('FEED_UNREACHABLE', message, { hint: 'try again' });
  expect(formatError(broken, { ...style, width: null })).toContain('https://help.example.com/größe: 404');
  expect(formatError(broken, { ...style, json: true, width: null })).toContain(message);
});

it('does not wrap the lines of an error for a log', () => {
  expect(formatError(error, { ...style, width: null }).split('\n')).toHaveLength(4);
});
