// The search box, used in the dialog, on the home page and on the search page. Loaded on first use. Published as one script per language,
// joined with its imports; the worker uses the same script.
import { serve } from './search-engine.js';
import { stemmer } from './stemmer.js';
import { findTerms } from './tokens.js';

const dialogLimit = 8;
const pageLimit = 10;
const topicLimit = 5;
/** Number of results that "more" adds on the search page. */
const moreResults = 30;
/** A larger number of results says nothing. */
const maxCounted = 100;
/** Number of characters shown before the first match. */
const before = 60;
const length = 180;

let worker = null;
const waiting = new Map();
let asked = 0;

/** Starts the worker unless it runs. */
function start(manifest) {
  if (worker) return;
  worker = new Worker(import.meta.url, { type: 'module' });
  worker.addEventListener('message', ({ data }) => {
    const asker = waiting.get(data.id);
    // Message of a worker that failed meanwhile.
    if (!asker) return;
    const { resolve, reject, onFirst } = asker;
    if (!data.isWhole) {
      onFirst(data);
      return;
    }
    waiting.delete(data.id);
    if (data.error) reject(new Error(data.error));
    else resolve(data);
  });
  worker.addEventListener('error', (event) => {
    for (const { reject } of waiting.values()) reject(new Error(event.message));
    waiting.clear();
    worker = null;
  });
  worker.postMessage({ manifest });
}

/** Sends a query to the worker. `onFirst`, if given, receives an early answer with the first result. */
function ask(manifest, { onFirst, ...asking }) {
  start(manifest);
  asked += 1;
  const id = asked;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject, onFirst });
    worker.postMessage({ id, isFirstWanted: onFirst !== null, ...asking });
  });
}

/** Sets attributes, because some browsers lack the ARIA properties. */
function describe(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function fill(entry, locale, values) {
  const pattern =
    typeof entry === 'string'
      ? entry
      : (entry[new Intl.PluralRules(locale).select(values.count)] ?? entry.other);
  return pattern.replace(/\{(\w+)\}/g, (whole, name) =>
    typeof values[name] === 'number'
      ? values[name].toLocaleString(document.documentElement.lang)
      : (values[name] ?? whole),
  );
}

/** Text with the terms marked; if long, cut to the part around the first match. */
function marked(text, terms, isCut) {
  const ranges = findTerms(text, terms);
  let start = 0;
  if (isCut && ranges.length > 0) start = Math.max(0, ranges[0][0] - before);
  if (start > 0)
    start = text.indexOf(' ', start) > 0 ? Math.min(text.indexOf(' ', start) + 1, ranges[0][0]) : start;
  const end = isCut ? Math.min(text.length, start + length) : text.length;
  const parts = [start > 0 ? '…' : ''];
  let at = start;
  for (const [from, to] of ranges) {
    if (from < at || to > end) continue;
    parts.push(text.slice(at, from), element('mark', {}, text.slice(from, to)));
    at = to;
  }
  parts.push(text.slice(at, end), end < text.length ? '…' : '');
  return parts;
}

function resultItem({ href, title, category, sections, excerpt, terms: list }) {
  const terms = new Set(list);
  const snippet = element('span', { className: 'snippet' }, ...marked(excerpt, terms, true));
  const link = element('a', { href }, element('strong', {}, ...marked(title, terms)));
  if (category) link.append(element('span', { className: 'result-category' }, category));
  link.append(snippet);
  const item = element('li', {}, link);
  if (sections.length > 0) {
    const links = sections.map(({ id, heading }) =>
      element(
        'li',
        {},
        element('a', { href: `${href}#${encodeURIComponent(id)}` }, ...marked(heading, terms)),
      ),
    );
    item.append(element('ul', {}, ...links));
  }
  return item;
}

/** How long a reader has not typed when a search counts as one that found nothing. */
const settledMs = 2000;
const counted = new Set();
let counting = 0;

/** Counts a search without a result once, when the reader stops typing. Readers who ask not to be tracked are not counted. */
function countMiss(url, query) {
  clearTimeout(counting);
  if (!url || navigator.globalPrivacyControl || navigator.doNotTrack === '1') return;
  if ([...query].length < 2 || counted.has(query)) return;
  counting = setTimeout(() => {
    counted.add(query);
    fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ query, language: document.documentElement.lang }),
      mode: 'no-cors',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      keepalive: true,
    }).catch(() => {});
  }, settledMs);
}

/** A page may have a panel below its search field and also the dialog. */
let popups = 0;
let emptyHelp = null;

/** What to offer if nothing is found (popular articles, a contact link); the search page contains it in a template. */
async function loadHelp(searchPage) {
  emptyHelp ??= (async () => {
    const own = document.querySelector('template.search-empty');
    if (own) return own.content;
    const html = await (await fetch(searchPage)).text();
    return new DOMParser().parseFromString(html, 'text/html').querySelector('template.search-empty')?.content;
  })().catch(() => null);
  return (await emptyHelp)?.cloneNode(true) ?? '';
}

/**
 * Connects the input of a form with an element for results; text that is already in it is searched immediately.
 * @param form its `limit`, if it has one, is the number of results
 * @param answer the server's response to the request for the index
 * @param isPage on the search page: shows many results, and the query is in the URL
 */
export function attach({ form, output, answer: firstAnswer, isPage = false }) {
  const input = form.elements.q;
  const step = isPage ? pageLimit : (form.limit ?? dialogLimit);
  const status = describe(element('p', { className: 'search-status' }), { role: 'status' });
  const list = element('ol', { className: 'results' });
  const rest = element('div', { className: 'search-rest' });
  const filter = describe(element('div', { className: 'search-filter' }), { role: 'group' });
  output.append(status, filter, list, rest);
  const setOpen = (isOpen) => {
    output.hidden = !isOpen;
    if (!isPage) input.setAttribute('aria-expanded', isOpen);
  };
  if (!isPage) {
    // Results are links with further links below them, which a listbox must not contain, so the popup is a dialog.
    popups += 1;
    const id = `search-output-${popups}`;
    describe(output, { id, role: 'dialog', 'aria-label': form.dataset.label });
    describe(input, {
      role: 'combobox',
      'aria-haspopup': 'dialog',
      'aria-autocomplete': 'list',
      'aria-controls': id,
    });
  }
  let current = 0;
  let timer = 0;
  let limit = step;
  /** Text of each result in the list. */
  let shown = [];
  let manifest = null;
  const loadManifest = () => {
    manifest ??= (firstAnswer ?? fetch(form.dataset.index)).then((response) => {
      if (!response.ok) throw new Error(response.statusText);
      return response.json();
    });
    firstAnswer = null;
    manifest.catch(() => {
      manifest = null;
    });
    return manifest;
  };
  let category = isPage ? new URLSearchParams(location.search).get('topic') : null;
  const addressOf = (query) =>
    `${form.dataset.search}?q=${encodeURIComponent(query)}${category ? `&topic=${encodeURIComponent(category)}` : ''}`;

  /** The link to all results always uses the current text of the field, even if older results are shown. */
  const leadToQuery = () => {
    const link = rest.querySelector('.search-all');
    if (link) link.href = addressOf(input.value.trim());
  };

  /** Shows what follows the results: a link to more, or help if there are none. */
  const showRest = async ({ total, suggestion }, { texts, isCurrent }) => {
    if (total > limit && isPage) {
      const more = element(
        'button',
        { type: 'button', className: 'button' },
        fill(texts.searchMore, texts.locale, {}),
      );
      more.addEventListener('click', async () => {
        const seen = limit;
        limit += moreResults;
        await show();
        list.querySelectorAll(':scope > li > a')[seen]?.focus();
      });
      rest.replaceChildren(more);
    } else if (total > limit) {
      const text =
        total > maxCounted
          ? fill(texts.searchMore, texts.locale, {})
          : fill(texts.showAll, texts.locale, { count: total });
      rest.replaceChildren(element('a', { className: 'search-all' }, text));
      leadToQuery();
    } else if (total === 0) {
      const help = await loadHelp(form.dataset.search);
      if (!isCurrent()) return;
      rest.replaceChildren(help);
      if (!suggestion) return;
      const text = fill(texts.searchSuggestion, texts.locale, { query: suggestion });
      const button = element('button', { type: 'button', className: 'search-suggestion' }, text);
      button.addEventListener('click', () => {
        input.value = suggestion;
        input.focus();
        show();
      });
      rest.prepend(button);
    } else rest.replaceChildren();
  };

  /** A button for each of the largest top categories that have results, and for the chosen one; the pressed one is the filter. */
  const showFilter = ({ categories, category: chosen }, texts) => {
    filter.setAttribute('aria-label', texts.topics);
    const focused = [...filter.children].indexOf(document.activeElement);
    const others = categories
      .filter(({ title }) => title !== chosen)
      .slice(0, chosen ? topicLimit - 1 : topicLimit);
    const offered = categories.filter((each) => each.title === chosen || others.includes(each));
    filter.replaceChildren(
      ...offered.map(({ title, count }) => {
        const shownCount = Math.min(count, maxCounted).toLocaleString(document.documentElement.lang);
        const number = element('span', {}, count > maxCounted ? `${shownCount}+` : shownCount);
        const label = element('bdi', {}, title);
        const button = element('button', { type: 'button' }, label, ' ', number);
        button.setAttribute('aria-pressed', title === chosen);
        button.addEventListener('click', () => {
          category = title === chosen ? null : title;
          limit = step;
          show();
        });
        return button;
      }),
    );
    filter.children[focused]?.focus();
  };

  /** Adds only new results if the shown ones stay. For several words, the early answer may differ from the last. */
  const showResults = (answer, texts, query) => {
    const { total, results, isPartial } = answer;
    setOpen(true);
    showFilter(answer, texts);
    // Counts for only some of the words are not shown, but their space is reserved.
    filter.style.visibility = isPartial ? 'hidden' : '';
    const wanted = results.map((result) => JSON.stringify(result));
    if (shown.every((result, at) => result === wanted[at]))
      list.append(...results.slice(shown.length).map(resultItem));
    else {
      // The reader may have moved the focus to the results before the last ones arrived.
      const focused = [...list.querySelectorAll('a')].indexOf(document.activeElement);
      const { href } = document.activeElement;
      list.replaceChildren(...results.map(resultItem));
      const links = [...list.querySelectorAll('a')];
      if (focused >= 0) (links.find((link) => link.href === href) ?? links[focused] ?? input).focus();
    }
    shown = wanted;
    if (isPartial) status.textContent = '\u00a0';
    else if (total === 0) status.textContent = fill(texts.searchNone, texts.locale, { query });
    else if (total > maxCounted)
      status.textContent = fill(texts.searchMany, texts.locale, { count: maxCounted });
    else status.textContent = fill(texts.searchCount, texts.locale, { count: total });
  };

  const show = async () => {
    const query = input.value.trim();
    current += 1;
    const mine = current;
    const isCurrent = () => mine === current;
    if (query === '') {
      status.textContent = '';
      filter.replaceChildren();
      list.replaceChildren();
      rest.replaceChildren();
      shown = [];
      setOpen(isPage);
      if (!isPage) return;
      const help = await loadHelp(form.dataset.search);
      if (isCurrent()) rest.replaceChildren(help);
      return;
    }
    try {
      const index = await loadManifest();
      const { texts } = index;
      const showFirst = (first) => isCurrent() && showResults(first, texts, query);
      const onFirst = list.children.length === 0 ? showFirst : null;
      const answer = await ask(index, { query, limit, category, onFirst });
      if (!isCurrent()) return;
      showResults(answer, texts, query);
      // A search in one category may have results in others.
      if (answer.total === 0 && !category) countMiss(form.dataset.countSearches, query);
      if (isPage) history.replaceState(null, '', addressOf(query));
      await showRest(answer, { texts, isCurrent });
    } catch {
      if (!isCurrent()) return;
      setOpen(true);
      filter.replaceChildren();
      list.replaceChildren();
      rest.replaceChildren();
      shown = [];
      status.textContent = form.dataset.failed;
    }
  };
  const soon = () => {
    clearTimeout(timer);
    clearTimeout(counting);
    limit = step;
    timer = setTimeout(show, 120);
    leadToQuery();
  };
  input.addEventListener('input', soon);

  const onKey = (event) => {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const stops = [input, ...output.querySelectorAll('.results a, .search-rest :is(a, button)')];
      const at = stops.indexOf(document.activeElement);
      const isDown = key === 'ArrowDown';
      // The arrow keys move between the field and the results, and skip the filter.
      const next = at < 0 ? stops[isDown ? 1 : 0] : stops[at + (isDown ? 1 : -1)];
      if (!next) return;
      event.preventDefault();
      next.focus();
    } else if (event.currentTarget !== input && !event.ctrlKey && !event.metaKey && !event.altKey) {
      // If the reader continues typing, the focus returns to the field, which then receives the letter.
      const isText = key === 'Backspace' || ([...key].length === 1 && key !== ' ');
      if (isText) input.focus();
    }
  };
  input.addEventListener('keydown', onKey);
  output.addEventListener('keydown', onKey);

  // The panel below a field closes like a menu; the dialog closes itself.
  if (!isPage && !form.closest('dialog')) {
    const close = () => {
      // A late answer would open the panel again.
      clearTimeout(timer);
      current += 1;
      setOpen(false);
    };
    for (const target of [form, output]) {
      target.addEventListener('keydown', (event) => {
        if (event.key !== 'Escape' || output.hidden) return;
        event.preventDefault();
        input.focus();
        close();
      });
    }
    document.addEventListener('pointerdown', (event) => {
      if (!form.contains(event.target) && !output.contains(event.target)) close();
    });
    input.addEventListener('click', () => {
      if (output.hidden) show();
    });
  }
  setOpen(false);
  if (input.value || isPage) show();
  if (!input.value) loadManifest().then(start, () => {});
}

if (typeof WorkerGlobalScope === 'function') serve({ stem: stemmer });
