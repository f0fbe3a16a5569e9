import type { CommandModule } from 'yargs';

interface PreviewFlags {
  readonly config: string | undefined;
  readonly out: string | undefined;
  readonly port: number;
}

/** `lectern preview`: serves the built site. */
export const previewCommand: CommandModule<object, PreviewFlags> = {
  command: 'preview',
  describe: 'Serve the built site on this machine',
  builder: (yargs) =>
    yargs
      .options({
        config: { type: 'string', describe: 'Configuration file (default lectern.config.json)' },
        out: { type: 'string', describe: 'Published folder (default dist)' },
        port: { type: 'number', default: 4173, describe: 'Port on localhost; 0 picks a free one' },
      })
      .example('$0 preview', 'Serve dist/ at http://localhost:4173')
      .example('$0 preview --port 0', 'Serve it at any free port'),
  handler: async (flags) => {
    const { runPreview } = await import('../run-preview.ts');
    await runPreview(flags);
  },
};
