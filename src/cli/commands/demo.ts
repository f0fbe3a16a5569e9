import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineCommand, lecternCommand } from '../command.ts';
import { isTerminal, writeOutput } from '../terminal.ts';
import { showPublished } from './preview.ts';

/** The knowledge base of the package. */
const sample = fileURLToPath(new URL('../../../sample', import.meta.url));

/** `lectern demo`: the whole way, from the API of the embedded service to a site, with the sample. */
export const demoCommand = defineCommand({
  options: {
    out: { type: 'string', default: 'lectern-demo', describe: 'Folder of the site and the feed' },
    port: { type: 'number', default: 4173, describe: 'Port on localhost where the site is shown' },
  },
  examples: [['lectern demo', 'Build the sample into lectern-demo/, and show it']],
  epilogue:
    'Serves the sample with the knowledge-base service of Lectern, builds it through the API, and stops the service. In a terminal, it ' +
    'then shows the site until you press Ctrl-C.',
  run: async ({ out, port }) => {
    const folder = resolve(out);
    await buildSample(folder, port);
    writeOutput(
      `\nSite      ${join(out, 'index.html')}\nFeed      ${join(out, 'feed', 'manifest.json')}\n` +
        'Problems that are listed above are in the sample on purpose: they show what a report says.\n',
    );
    if (!isTerminal('stdout')) {
      writeOutput(`Preview   ${lecternCommand()} preview ${out}\n`);
      return;
    }
    await showPublished(folder, port);
  },
});

/** Builds the sample as a project does: a service answers over HTTPS, and a build reads its API. Only the output is left. */
async function buildSample(out: string, port: number): Promise<void> {
  const { startService } = await import('../../service/start-service.ts');
  const { runBuild } = await import('../run-build.ts');
  const scratch = mkdtempSync(join(tmpdir(), 'lectern-demo-'));
  try {
    const service = await startService({ data: join(scratch, 'kb.sqlite'), seed: sample });
    try {
      process.env.LECTERN_API_KEY = service.apiKey;
      await runBuild({
        config: join(sample, 'lectern.config.json'),
        settings: {
          source: { kind: 'api' },
          baseUrl: service.baseUrl,
          siteUrl: `http://localhost:${port}`,
          tls: { ca: service.caFile ?? undefined },
          cache: join(scratch, 'cache'),
          out,
        },
        typed: {},
        switches: { offline: false, allowMassDelete: true, strict: false, insecureLoopback: false },
        report: undefined,
        quiet: false,
        verbose: false,
        json: false,
        preview: null,
        rest: 'In a project, lectern build --verbose lists all of them.',
      });
    } finally {
      await service.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
