import type { OutputFile } from '../output/output.ts';
import type { Span } from './file-places.ts';

/** Appends a text; gives where it lies. */
export async function appendText(file: OutputFile, text: string | Uint8Array): Promise<Span> {
  const start = file.position();
  await file.write(text);
  return [start, file.position() - start];
}

/** Appends what lies in a file of the previous feed; gives where it lies now. */
export async function repeatSpan(file: OutputFile, path: string, [offset, length]: Span): Promise<Span> {
  const start = file.position();
  await file.repeat(path, offset, length);
  return [start, length];
}
