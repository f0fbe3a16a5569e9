// Fields that shorten a long list while the reader types. Loaded only where there is one.

import { fold } from './tokens.js';

/** Text to compare what a reader types with names and titles: folded as for the search, with a Hangul syllable as its letters. */
const plain = (text) => fold(text).normalize('NFD');

/** Says that nothing contains what a reader typed. */
const nothingFound = ({ dataset }, { value }) => dataset.none.replace('{query}', () => value.trim());

/** Shows the languages whose name (in the language itself or in the reader's) or tag contains the typed text. */
export function filterLanguages(menu, filter) {
  const names = new Intl.DisplayNames([document.documentElement.lang], {
    type: 'language',
    fallback: 'none',
  });
  const items = [...menu.querySelectorAll('li')].map((item) => {
    const link = item.firstElementChild;
    return [item, plain([link.textContent, link.hreflang, names.of(link.hreflang) ?? ''].join(' '))];
  });
  const focus = () => {
    if (menu.open) filter.focus();
  };
  // Templates of one's own may not have it.
  const status = menu.querySelector('[role=status]');
  filter.hidden = false;
  menu.addEventListener('toggle', focus);
  focus();
  filter.addEventListener('input', () => {
    const typed = plain(filter.value.trim());
    for (const [item, words] of items) item.hidden = !words.includes(typed);
    const isEmpty = items.every(([item]) => item.hidden);
    if (status) status.textContent = isEmpty ? nothingFound(status, filter) : '';
  });
  filter.addEventListener('keydown', (event) => {
    // Not the key with which an input method ends; Safari sends it after the composition, with this code.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Enter') items.find(([item]) => !item.hidden)?.[0].firstElementChild.click();
  });
}

/** Shows the articles of a long list whose titles contain all typed words; groups with a match open. */
export function filterList(filter) {
  const list = filter.closest('.filterable');
  const status = filter.nextElementSibling;
  const { none, articles } = status.dataset;
  const groups = [...list.querySelectorAll('details, section')].map((group) => [
    group,
    group.querySelector('summary > .tag'),
    [...group.querySelectorAll('li')].map((item) => [item, plain(item.textContent)]),
  ]);
  /** Says what was found: to all readers if there is nothing, and otherwise to those who do not see the list. */
  const show = (count) => {
    const number = count.toLocaleString(document.documentElement.lang);
    status.textContent = articles ? `${articles}: ${number}` : number;
    status.classList.toggle('visually-hidden', count > 0);
    if (count === 0 && none) status.textContent = nothingFound(status, filter);
  };
  filter.hidden = false;
  filter.addEventListener('input', () => {
    const words = plain(filter.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const [group, tag, items] of groups) {
      let shown = 0;
      for (const [item, text] of items) {
        item.hidden = !words.every((word) => text.includes(word));
        if (!item.hidden) shown += 1;
      }
      group.hidden = shown === 0;
      group.open = words.length > 0;
      if (tag) tag.textContent = shown;
      count += shown;
    }
    show(count);
    if (words.length === 0) status.textContent = '';
  });
}
