import { z } from '../foundation/schema.ts';

const keptPath = z
  .string()
  .regex(/^(?:(?!\.{1,2}(?:\/|$))[^/\\*?]+\/)*(?!\.{1,2}$)(?:[^/\\*?]+|\*\*)$/, {
    error: 'expected a path such as CNAME, or a folder such as .well-known/**',
  })
  .refine((path) => path !== '**', {
    error: 'expected a path such as CNAME, or a folder such as .well-known/**',
  });

/** How the files are written. */
export const outputSettings = z.strictObject({
  /** Compressed copies of every text file (`index.html.br`). */
  compress: z.array(z.enum(['br', 'gz'])).default([]),
  /** Your own files in the output that every build keeps, e.g. `["CNAME", ".well-known/**"]`; `.git` is always kept. */
  keep: z.array(keptPath).default([]),
});
