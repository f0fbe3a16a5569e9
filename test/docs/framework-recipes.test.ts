import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { buildSample } from '../feed/support/build-sample.ts';
import { serve } from '../support/serve.ts';
import { readBlocks } from './support/read-blocks.ts';

const root = join(import.meta.dirname, '../..');
let chunks = '';
let address = '';

beforeAll(async () => {
  const article = {
    id: 'aaaaaaaaaa',
    pages: { en: { title: 'Keys', markdown: 'See [this](https://x.example/).\n' } },
  };
  const output = await buildSample({ languages: ['en'], articles: [article] });
  chunks = output.text('feed/en/chunks.jsonl');
  const { origin } = await serve(({ url }, response) =>
    response.end(url === '/feed/en/chunks.jsonl' ? chunks : ''),
  );
  address = origin;
});

/** Runs a recipe of docs/platforms.md, and returns the value of an expression after it. */
async function run(uses: string, result: string): Promise<unknown> {
  const recipe =
    readBlocks(join(root, 'docs/platforms.md')).find(({ code }) => code.includes(uses))?.code ?? '';
  const code = `${recipe.replace('https://help.example.com', address)}\nconsole.log(JSON.stringify(${result}));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: root });
  let printed = '';
  child.stdout.on('data', (piece) => {
    printed += String(piece);
  });
  await new Promise((ended) => child.on('close', ended));
  return JSON.parse(printed);
}

const metadata = {
  title: 'Keys',
  url: 'https://help.example.com/en/article/aaaaaaaaaa-page/',
  language: 'en',
};
const text = 'Keys\n\nSee [this](https://x.example/).';

it('gives LangChain the passages of a feed as documents', async () => {
  const [document] = (await run(
    '@langchain/core/documents',
    'documents.map((one) => ({ ...one }))',
  )) as object[];
  expect(document).toMatchObject({
    id: expect.stringMatching(/^a-aaaaaaaaaa-en-/),
    pageContent: text,
    metadata,
  });
});

it('gives LlamaIndex the passages of a feed as nodes that it embeds without metadata', async () => {
  const result = 'nodes.map((node) => [node.id_, node.metadata, node.getContent("EMBED")])';
  expect(await run('@llamaindex/core/schema', result)).toEqual([
    [expect.stringMatching(/^a-aaaaaaaaaa-en-/), metadata, text],
  ]);
});
