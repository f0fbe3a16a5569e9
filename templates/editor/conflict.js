import { linesOf } from './body-html.js';
import { valueAt } from './changes.js';
import { button, directionOf, make, nameLanguage, openDialog } from './elements.js';

const labels = {
  title: 'Title',
  description: 'Summary',
  body: 'Text',
  slug: 'Address',
  tags: 'Tags',
  category_id: 'Category',
  is_published: 'Published',
  is_private: 'Private',
  is_live: 'Published',
  publish_at: 'Publish at',
  unpublish_at: 'Unpublish at',
};

/** Name of a place, for example “Text (German)”. */
function namePlace(place) {
  const slash = place.indexOf('/');
  const label = labels[place.slice(slash + 1)] ?? place.slice(slash + 1);
  return slash === -1 ? label : `${label} (${nameLanguage(place.slice(0, slash))})`;
}

/** A value as lines to compare. */
function linesOfValue(place, value, nameCategory) {
  if (value === null || value === undefined || value === '') return ['(empty)'];
  if (place.endsWith('body')) return linesOf(value);
  if (place === 'category_id') return [nameCategory(value)];
  if (Array.isArray(value)) return [value.join(', ') || '(none)'];
  if (typeof value === 'boolean') return [value ? 'Yes' : 'No'];
  return [String(value)];
}

/** A version; lines that the other does not have are marked. */
function showVersion(title, lines, others, tag) {
  const known = new Set(others);
  return make(
    'section',
    { className: 'version' },
    make('h3', {}, title),
    make(
      'div',
      {
        className: 'version-text',
        tabIndex: 0,
        role: 'group',
        'aria-label': title,
        lang: tag,
        dir: directionOf(tag),
      },
      lines.map((line) => make('p', {}, known.has(line) ? line : make('mark', {}, line))),
    ),
  );
}

/**
 * Asks which version of each place counts that two authors changed. Returns the places where the other author's does, or `null` if the author
 * wants to decide later.
 */
export function askConflict({ places, changes, theirs, defaultLanguage, nameCategory }) {
  const taken = new Set();
  const mine = new Map(changes);
  return openDialog(
    'Somebody else has changed this article',
    (close) => {
      const parts = places.map((place) => {
        const slash = place.indexOf('/');
        const tag = slash === -1 ? defaultLanguage : place.slice(0, slash);
        const own = linesOfValue(place, mine.get(place).mine, nameCategory);
        const other = linesOfValue(place, valueAt(theirs, place), nameCategory);
        const name = `choice-${place}`;
        const choice = (label, isTheirs) =>
          make(
            'label',
            {},
            make('input', {
              type: 'radio',
              name,
              checked: !isTheirs,
              onchange: () => (isTheirs ? taken.add(place) : taken.delete(place)),
            }),
            ` ${label}`,
          );
        return make(
          'fieldset',
          { className: 'conflict' },
          make('legend', {}, namePlace(place)),
          make(
            'div',
            { className: 'versions' },
            showVersion('Your version', own, other, tag),
            showVersion('Their version', other, own, tag),
          ),
          make('div', { className: 'choices' }, choice('Keep mine', false), choice('Take theirs', true)),
        );
      });
      return [
        make(
          'p',
          {},
          'It was saved since you opened it, and both of you changed the same parts. Nothing is overwritten until you choose. Lines that the other version does not have are marked.',
        ),
        parts,
        make(
          'div',
          { className: 'actions' },
          button('Save my choice', () => close([...taken]), { className: 'primary' }),
          button('Decide later', () => close(null)),
        ),
      ].flat();
    },
    { className: 'is-large is-scrolling' },
  );
}
