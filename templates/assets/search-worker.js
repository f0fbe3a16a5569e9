// Answers queries off the main thread.
import MiniSearch from './minisearch.js';
import { createSearch } from './search-engine.js';

const pieces = new Map();

/** Fetches a file of the index once. */
function load(url) {
  let piece = pieces.get(url);
  if (!piece) {
    piece = fetch(url).then((response) => {
      if (!response.ok) throw new Error(`${response.status} ${url}`);
      return response.json();
    });
    piece.catch(() => pieces.delete(url));
    pieces.set(url, piece);
  }
  return piece;
}

let search = null;

addEventListener('message', async ({ data }) => {
  try {
    const manifest = await load(data.index);
    search ??= createSearch({ MiniSearch, load, manifest });
    const answer =
      data.query === undefined ? { texts: manifest.texts } : await search(data.query, data.limit);
    postMessage({ id: data.id, ...answer });
  } catch (error) {
    postMessage({ id: data.id, error: String(error) });
  }
});
