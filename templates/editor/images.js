import { askForm, field, make } from './elements.js';

/** Largest image in a body, in bytes, as for folders. Larger ones get smaller. */
const mostBytes = 256 * 1024;
const readable = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/**
 * A picture as a `data:` URL of at most 256 KB. It is drawn again, so that neither scripts nor the place where a photo was taken are in
 * it. Throws an error with a sentence for the author.
 */
async function shrinkImage(file) {
  const refuse = () => new Error('Choose a photo or a screenshot: PNG, JPEG, GIF, WebP or AVIF.');
  if (!readable.has(file.type)) throw refuse();
  const picture = await createImageBitmap(file).catch(() => {
    throw refuse();
  });
  for (const width of [1600, 1200, 800, 500]) {
    const scale = Math.min(1, width / Math.max(picture.width, picture.height));
    const canvas = make('canvas', {
      width: Math.max(1, Math.round(picture.width * scale)),
      height: Math.max(1, Math.round(picture.height * scale)),
    });
    canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
    for (const quality of [0.9, 0.75]) {
      // A browser that cannot write WebP writes PNG.
      const webp = canvas.toDataURL('image/webp', quality);
      const url = webp.startsWith('data:image/webp') ? webp : canvas.toDataURL('image/jpeg', quality);
      if (url.length * 0.75 <= mostBytes) return url;
    }
  }
  throw new Error('This picture cannot be made small enough. Use one with fewer details.');
}

/** Asks for an image. Returns its URL and its description, or `null`. @param given a file that was pasted or dropped */
export function askImage(given = null) {
  const file = make('input', { type: 'file', accept: [...readable].join(',') });
  const url = make('input', { type: 'url', placeholder: 'https://example.com/picture.png' });
  const alt = make('input', { type: 'text' });
  const fields = [
    given === null ? field('From this computer', file, 'Large pictures are made smaller.') : null,
    given === null ? field('Or from a web address', url) : make('p', {}, given.name || 'Pasted picture'),
    field(
      'Description',
      alt,
      'What the image shows, for people who cannot see it. Leave it empty if the image is only decoration.',
    ),
  ];
  return askForm('Add an image', fields, 'Add image', async () => {
    const chosen = given ?? file.files[0] ?? null;
    if (chosen !== null) {
      try {
        return { src: await shrinkImage(chosen), alt: alt.value.trim() };
      } catch (error) {
        return error.message;
      }
    }
    const src = url.value.trim();
    if (src === '') return 'Choose a picture, or enter a web address.';
    if (!/^https:\/\/[^\s/]+/i.test(src)) return 'The address of a picture begins with https://';
    return { src, alt: alt.value.trim() };
  });
}
