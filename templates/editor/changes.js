/**
 * What an author has changed in an article and not saved: by place, the value that was there (`base`) and the author's (`mine`). A place is a
 * field of the record, such as `title`, or of a translation, such as `de/title`. They are kept in this browser until they are saved.
 */

const prefix = 'lectern-draft:';
const keptMs = 30 * 86_400_000;

/** The value at a place of a record; `null` if a translation does not have it. */
export function valueAt(record, place) {
  const slash = place.indexOf('/');
  if (slash === -1) return record[place] ?? null;
  const language = place.slice(0, slash).toLowerCase();
  const element = record.multilingual.find((one) => one.language_code.toLowerCase() === language);
  return element?.[place.slice(slash + 1)] ?? null;
}

const isEqual = (one, other) => JSON.stringify(one ?? '') === JSON.stringify(other ?? '');

export function createChanges(id) {
  const name = prefix + (id ?? 'new');
  let changes = new Map();

  const store = () => {
    try {
      if (changes.size === 0) localStorage.removeItem(name);
      else localStorage.setItem(name, JSON.stringify({ at: Date.now(), changes: [...changes] }));
      return true;
    } catch {
      // The storage is full or forbidden: the text is still in the page, which asks before it is closed.
      return false;
    }
  };

  return {
    get size() {
      return changes.size;
    },
    places: () => [...changes.keys()],
    entries: () => [...changes],
    /** The author's value at a place, or that of the record. */
    value: (record, place) => (changes.has(place) ? changes.get(place).mine : valueAt(record, place)),
    set(record, place, mine) {
      const base = changes.has(place) ? changes.get(place).base : valueAt(record, place);
      if (isEqual(base, mine)) changes.delete(place);
      else changes.set(place, { base, mine });
      return store();
    },
    forget(place) {
      changes.delete(place);
      store();
    },
    clear() {
      changes = new Map();
      store();
    },
    /** Removes what was saved, unless the author went on writing meanwhile. */
    settle(saved) {
      for (const [place, { mine }] of saved) {
        const now = changes.get(place);
        if (now === undefined) continue;
        if (isEqual(now.mine, mine)) changes.delete(place);
        else changes.set(place, { base: mine, mine: now.mine });
      }
      store();
    },
    /** Places that somebody else changed to another value since the author read them. */
    conflicts: (theirs) =>
      [...changes]
        .filter(([place, { base, mine }]) => {
          const now = valueAt(theirs, place);
          return !isEqual(now, base) && !isEqual(now, mine);
        })
        .map(([place]) => place),
    /** From now on, the record is the other version. */
    rebase(theirs) {
      for (const [place, { mine }] of [...changes]) {
        const base = valueAt(theirs, place);
        if (isEqual(base, mine)) changes.delete(place);
        else changes.set(place, { base, mine });
      }
      store();
    },
    /** What was left in this browser: when, and the function that brings it back. */
    readDraft() {
      try {
        const { at, changes: left } = JSON.parse(localStorage.getItem(name) ?? 'null') ?? {};
        if (!Array.isArray(left) || left.length === 0) return null;
        return {
          at,
          restore: () => {
            changes = new Map(left);
          },
        };
      } catch {
        return null;
      }
    },
  };
}

/** Ids of articles with unsaved changes in this browser (`new`: one that was never saved). Old ones are removed. */
export function listDrafts() {
  const ids = [];
  for (const name of Object.keys(localStorage)) {
    if (!name.startsWith(prefix)) continue;
    const { at = 0 } = JSON.parse(localStorage.getItem(name) ?? '{}') ?? {};
    if (Date.now() - at > keptMs) localStorage.removeItem(name);
    else ids.push(name.slice(prefix.length));
  }
  return new Set(ids);
}

/** Removes every draft. */
export function forgetDrafts() {
  for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name);
}

/** The body of a request that saves changes: only what the author changed. */
export function requestOf(entries) {
  const body = {};
  const translations = new Map();
  for (const [place, { mine }] of entries) {
    const slash = place.indexOf('/');
    if (slash === -1) body[place] = mine;
    else {
      const language = place.slice(0, slash);
      const element = translations.get(language) ?? { language_code: language };
      translations.set(language, { ...element, [place.slice(slash + 1)]: mine });
    }
  }
  return translations.size === 0 ? body : { ...body, multilingual: [...translations.values()] };
}
