import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createClient } from '../../src/source/api/client.ts';
import type { Client } from '../../src/source/api/client-types.ts';
import { bodyToMarkdown, type ToBodyForm } from '../../src/source/folder/body-markdown.ts';
import { compareSides, refuseConflicts } from '../../src/sync/compare-sides.ts';
import type { PushOptions } from '../../src/sync/plan-sync.ts';
import { applyPull } from '../../src/sync/pull.ts';
import { applyPush } from '../../src/sync/push.ts';
import type { TestService } from '../service/support/service.ts';

const policy = { iframeHosts: ['youtube-nocookie.com'], classes: [], callouts: {} };
/** What the command makes of bodies. */
export const toForm: ToBodyForm = (body, language) => bodyToMarkdown(body, policy, language);

/** A client for a test's service. */
export function clientOf(service: Pick<TestService, 'baseUrl' | 'apiKey' | 'ca'>): Client {
  const client = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey, ca: [service.ca ?? ''] });
  onTestFinished(() => client.close());
  return client;
}

/** Pulls as the command does; returns the outcomes of records that differed. */
export async function pull(client: Client, root: string, baseUrl = 'https://kb/v1') {
  return (await pullWithForms(client, root, baseUrl)).outcomes;
}

/** The same, with the forms of the bodies that were written. */
export async function pullWithForms(client: Client, root: string, baseUrl = 'https://kb/v1') {
  const sides = await compareSides(client, { root, baseUrl, defaultLanguage: 'en', toForm });
  const forms = applyPull(sides);
  refuseConflicts(sides.entries);
  return { forms, outcomes: outcomes(sides.entries) };
}

/** Pushes as the command does; returns the outcomes of records that differed. */
export async function push(
  client: Client,
  root: string,
  options: PushOptions = { deletes: false },
  baseUrl = 'https://kb/v1',
) {
  const sides = await compareSides(client, { root, baseUrl, defaultLanguage: 'en', toForm });
  const { refused } = await applyPush(client, sides, options);
  for (const { error } of refused) throw error;
  if (options.ours !== true) refuseConflicts(sides.entries);
  return outcomes(sides.entries);
}

/** Every file of a folder but the state of the synchronisation: path → content. */
export function readFiles(root: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== '.lectern-sync.json')
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]),
  );
}

function outcomes(
  entries: readonly { readonly kind: string; readonly outcome: string; readonly id: string | null }[],
) {
  return entries
    .filter(({ outcome }) => outcome !== 'same')
    .map(({ kind, outcome, id }) => `${kind} ${id} ${outcome}`);
}
