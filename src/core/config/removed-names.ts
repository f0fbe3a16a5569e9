import { docsPage } from '../docs-page.ts';

const sign = `sign feed/manifest.json with minisign; ${docsPage('recipes.md')} shows how`;
const checkSignature = `check feed/manifest.json with minisign; ${docsPage('recipes.md')} shows how`;

/**
 * What earlier versions had, and what to do instead: one sentence each, for the hint of an error. The table may go with version 1.0.
 * Commands are written with the words before them (`feed ask`), flags without dashes, settings with their section (`feed.x`).
 */
const removed: Readonly<Record<'command' | 'flag' | 'setting', Readonly<Record<string, string>>>> = {
  command: {
    'feed ask': 'ask lectern mcp the questions, or measure a change of Lectern with npm run bench:retrieval',
    'feed keygen': sign,
    'feed notify':
      'call your webhook from the job after the upload, e.g. curl -fsS -X POST https://bot.example.com/hooks/help',
    merge: 'run lectern build once: one machine builds the largest help centres in seconds',
  },
  flag: {
    'gitlab-report': 'pass --report FILE: its JSON has code, place and hint of every problem',
    'junit-report': 'pass --report FILE: its JSON has code, place and hint of every problem',
    editor: 'write in Markdown and run lectern push, or use any client of the API',
    'public-key': checkSignature,
    site: checkSignature,
    shard: 'run lectern build without it: one machine builds the largest help centres in seconds',
    shards: 'run lectern init without it: the job builds on one machine',
    previous: 'pass --since to continue a published feed',
  },
  setting: {
    'feed.signatureHours': sign,
    'output.notify':
      'call your webhook from the job after the upload, e.g. curl -fsS -X POST https://bot.example.com/hooks/help',
    'site.socialImages': 'site.ogImage is one picture for all pages',
  },
};

/** The sentence that says what to do instead of something that earlier versions had; `null` if they never had it. */
export function successorOf(kind: keyof typeof removed, name: string): string | null {
  return Object.hasOwn(removed[kind], name) ? (removed[kind][name] ?? null) : null;
}
