import { z } from '../schema.ts';

/** How the files are written. */
export const outputSettings = z.strictObject({
  /** Compressed copies written beside every text file, for hosts that send them as they are (`index.html.br`). */
  compress: z.array(z.enum(['br', 'gz'])).default([]),
});
