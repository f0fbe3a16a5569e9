import type { FileHandle } from 'node:fs/promises';
import type { ArticleBodies, KnowledgeBase, ReadBodies } from '../foundation/model.ts';
import type { TextPlace } from './source.ts';

const blockBytes = 4 * 1024 * 1024;

/**
 * Finds a text in what is published of a knowledge base. The file of bodies is searched as a whole first, since it
 * nearly never holds the text: at 30,000 articles that takes a fraction of the time of reading them one by one.
 */
export async function findText(
  text: string,
  { articles, categories }: KnowledgeBase,
  bodies: FileHandle,
  readBodies: ReadBodies,
): Promise<readonly TextPlace[]> {
  const forms = [...new Set([text, escapeHtml(text)])];
  const holds = (candidate: string | null | undefined): boolean =>
    forms.some((form) => candidate?.includes(form));
  const isInBodies = await fileHolds(bodies, forms);
  const places: TextPlace[] = [];
  for (const { id, tags, translations } of articles) {
    const read: ArticleBodies = isInBodies ? await readBodies(id) : new Map();
    for (const { language, title, slug, description } of translations) {
      const texts = [read.get(language), title, slug, description, ...tags];
      if (texts.some(holds)) places.push({ record: id, language });
    }
  }
  for (const { id, translations } of categories) {
    for (const { language, title, slug, description } of translations) {
      if ([title, slug, description].some(holds)) places.push({ record: `category ${id}`, language });
    }
  }
  return places;
}

/** Blocks overlap, so that a text across two of them is found. */
async function fileHolds(file: FileHandle, forms: readonly string[]): Promise<boolean> {
  const overlap = Math.max(...forms.map((form) => Buffer.byteLength(form))) - 1;
  const block = Buffer.allocUnsafe(blockBytes + overlap);
  for (let at = 0; ; at += blockBytes) {
    const { bytesRead } = await file.read(block, 0, block.length, at);
    const bytes = block.subarray(0, bytesRead);
    if (forms.some((form) => bytes.includes(form))) return true;
    if (bytesRead < block.length) return false;
  }
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
