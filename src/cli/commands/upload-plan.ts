import { defineCommand } from '../parser/command.ts';

/** `lectern upload-plan`: what to upload of an output, and in which order. */
export const uploadPlanCommand = defineCommand({
  positionals: { dir: { describe: 'Built site (default: the output folder)' } },
  options: {
    previous: {
      type: 'string',
      describe: 'URL of the published site, or a folder with its output-files.txt',
    },
    out: { type: 'string', default: 'upload', describe: 'Output folder; the plan replaces it' },
    link: {
      type: 'boolean',
      default: false,
      describe: 'Also link the files of each step into a folder (for aws s3)',
    },
    config: { type: 'string', describe: 'Configuration file (default lectern.config.json)' },
    json: { type: 'boolean', default: false, describe: 'Print the result as JSON' },
  },
  examples: [
    ['lectern upload-plan --previous https://help.example.com/', 'Compare dist/ with the published site'],
    ['lectern upload-plan --previous published --link', 'Compare with a folder; link the files of each step'],
  ],
  run: async (flags) => (await import('../run-upload-plan.ts')).runUploadPlan(flags),
});
