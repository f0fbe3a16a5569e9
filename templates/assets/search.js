// The search box, used in the dialog, on the home page and on the search page. Loaded on first use. Published as one script per language,
// joined with its imports; the worker uses the same script.
import { serve } from './search-engine.js';
import { stemmer } from './stemmer.js';
import { findTerms } from './tokens.js';

const dialogLimit = 8;
const pageLimit = 10;
const topicLimit = 5;
/** Number of results of the query that was probably meant, if there are none. */
const closestLimit = 3;
/** Number of results that "more" adds on the search page. */
const moreResults = 30;
/** A larger number of results says nothing. */
const maxCounted = 100;
/** Whether a key belongs to an input method. Safari sends the last one after the composition, with this code. */
const isComposing = (event) => event.isComposing || event.keyCode === 229;

/** Number of characters shown before the first match. */
const before = 60;
const length = 180;

/** Longest text in the field: its URL is one that hosts take, in any script. A pasted log is longer. */
const maxQueryChars = 800;

/** Time in which most searches end. */
const busyMs = 300;

let worker = null;
const waiting = new Map();
let asked = 0;

/** Ends the worker; the next query starts it again, with the index of that time. */
function stop(reason) {
  for (const { reject } of waiting.values()) reject(new Error(reason));
  waiting.clear();
  worker?.terminate();
  worker = null;
}

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
  worker.addEventListener('error', ({ message }) => stop(message));
  worker.postMessage({ manifest });
}

/** Sends a query to the worker. `onFirst`, if given, receives an early answer with the first result. */
function askWorker(manifest, { onFirst, ...asking }) {
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

/** An interface text with its placeholders filled in. @param texts those of the index */
function fill(texts, key, values = {}) {
  const entry = texts[key];
  const pattern =
    typeof entry === 'string'
      ? entry
      : (entry[new Intl.PluralRules(texts.locale).select(values.count)] ?? entry.other);
  return pattern.replace(/\{(\w+)\}/g, (whole, name) =>
    typeof values[name] === 'number'
      ? values[name].toLocaleString(document.documentElement.lang)
      : (values[name] ?? whole),
  );
}

/** Matches at half a pair of units, and at a sign that belongs to the character before it. */
const goesOn = /^(?:\p{M}|\u200d|[\udc00-\udfff])/u;

/** The start of the character that has a position in it. */
function startOfCharacter(text, at) {
  let start = at;
  while (start > 0 && goesOn.test(text.slice(start, start + 1))) start -= 1;
  return start;
}

/** Text with the terms marked; if long, cut to the part around the first match. */
function marked(text, terms, isCut) {
  const ranges = findTerms(text, terms);
  let start = 0;
  if (isCut && ranges.length > 0) start = Math.max(0, ranges[0][0] - before);
  if (start > 0)
    start =
      text.indexOf(' ', start) > 0
        ? Math.min(text.indexOf(' ', start) + 1, ranges[0][0])
        : startOfCharacter(text, start);
  const end = isCut ? startOfCharacter(text, Math.min(text.length, start + length)) : text.length;
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

/** Keeps the query in the URL, and what the page shows in its history. Safari refuses more than 100 changes in half a minute. */
function keepState(state, url) {
  try {
    history.replaceState(state, '', url);
  } catch {
    // The next change counts.
  }
}

let options = 0;

/** An option of the list: a link that the arrow keys choose while the focus stays in the field. */
function option(properties, ...children) {
  options += 1;
  return describe(element('a', properties, ...children), {
    id: `search-option-${options}`,
    role: 'option',
    'aria-selected': 'false',
  });
}

/** The words of the query, for the page that the reader opens (`highlight.js`). */
function rememberTerms(link, terms) {
  link.addEventListener('click', () => {
    try {
      sessionStorage.setItem('search-terms', JSON.stringify([new URL(link.href).pathname, [...terms]]));
    } catch {
      // Storage may be disabled; then nothing is marked.
    }
  });
  return link;
}

/** A result, and below it its sections with a match. */
function resultOptions({ href, title, category, sections, excerpt, terms: list }) {
  const terms = new Set(list);
  const snippet = element('span', { className: 'snippet' }, ...marked(excerpt, terms, true));
  const link = option({ href, className: 'result' }, element('strong', {}, ...marked(title, terms)));
  if (category) link.append(element('span', { className: 'result-category' }, category));
  link.append(snippet);
  const others = sections.map(({ id, heading }) =>
    option(
      { href: `${href}#${encodeURIComponent(id)}`, className: 'result-section' },
      ...marked(heading, terms),
    ),
  );
  return [link, ...others].map((each) => rememberTerms(each, terms));
}

/** Options under a heading. */
function optionGroup(title, list) {
  const heading = element('span', { className: 'option-heading' }, title);
  return describe(element('div', {}, describe(heading, { 'aria-hidden': 'true' }), ...list), {
    role: 'group',
    'aria-label': title,
  });
}

/** The lists of a help text as options, and what is not a list. */
function helpParts(help) {
  const groups = [...help.querySelectorAll('section')].map((section) => {
    const links = [...section.querySelectorAll('li > a')].map(({ href, lang, dir, textContent }) =>
      option({ href, lang, dir, className: 'result' }, textContent),
    );
    section.remove();
    return optionGroup(section.querySelector('h2').textContent, links);
  });
  return { groups, others: [...help.children] };
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

/** What to offer before a reader types and if nothing is found (popular articles, a contact link); the search page contains it in a template. */
async function loadHelp(searchPage) {
  emptyHelp ??= (async () => {
    const own = document.querySelector('template.search-empty');
    if (own) return own.content;
    const html = await (await fetch(searchPage)).text();
    return new DOMParser().parseFromString(html, 'text/html').querySelector('template.search-empty')?.content;
  })().catch(() => {
    // It is requested again.
    emptyHelp = null;
    return null;
  });
  return helpParts((await emptyHelp)?.cloneNode(true) ?? new DocumentFragment());
}

/**
 * Connects the input of a form with an element for results, as a combobox with a list (ARIA Authoring Practices); text that is already in it is
 * searched immediately.
 * @param form its `limit`, if it has one, is the number of results
 * @param answer the server's response to the request for the index
 * @param isPage on the search page: shows many results, and the query is in the URL
 * @param answers the module that answers questions; `null`: no answers are configured
 */
export function attach({ form, output, answer: firstAnswer, isPage = false, answers = null }) {
  const input = form.elements.q;
  const isDialog = Boolean(form.closest('dialog'));
  const step = isPage ? pageLimit : (form.limit ?? dialogLimit);
  popups += 1;
  const status = describe(element('p', { className: 'search-status' }), { role: 'status' });
  const list = describe(element('div', { className: 'results', id: `search-results-${popups}` }), {
    role: 'listbox',
    'aria-label': form.dataset.label,
  });
  const rest = element('div', { className: 'search-rest' });
  const filter = describe(element('div', { className: 'search-filter' }), { role: 'group' });
  const ask = answers?.offerAnswer(form) ?? null;
  output.append(...(ask ? [ask.box] : []), status, filter, list, rest);
  if (input.maxLength < 0) input.maxLength = maxQueryChars;
  describe(input, {
    role: 'combobox',
    'aria-haspopup': 'listbox',
    'aria-autocomplete': 'list',
    'aria-controls': list.id,
  });
  /** The option that the arrow keys have chosen. */
  let active = null;
  const choose = (next) => {
    active?.setAttribute('aria-selected', 'false');
    active = next;
    if (!active) {
      input.removeAttribute('aria-activedescendant');
      return;
    }
    active.setAttribute('aria-selected', 'true');
    input.setAttribute('aria-activedescendant', active.id);
    active.scrollIntoView({ block: 'nearest' });
  };
  const setOpen = (isOpen) => {
    output.hidden = !isOpen;
    if (!isOpen) choose(null);
    input.setAttribute('aria-expanded', isOpen && list.childElementCount > 0);
  };
  let busyTimer = 0;
  /** Shows the ring if a search takes long: to draw it for every key costs more than the search. */
  const setBusy = (isBusy) => {
    clearTimeout(busyTimer);
    if (isBusy) busyTimer = setTimeout(() => form.toggleAttribute?.('data-busy', true), busyMs);
    else form.removeAttribute?.('data-busy');
  };
  /** Replaces the options. The question comes first, and stays while results change. */
  const setOptions = (...nodes) => {
    const kept = active && list.contains(active) ? active.href : null;
    const asked = ask !== null && active === ask.row;
    // A reader may have moved the focus into the list with Tab.
    const focused = list.contains(document.activeElement) ? document.activeElement.href : null;
    list.replaceChildren(...(ask ? [ask.row] : []), ...nodes);
    const linkTo = (address) => [...list.querySelectorAll('a')].find(({ href }) => href === address);
    if (focused) (linkTo(focused) ?? input).focus();
    choose(asked ? ask.row : ((kept && linkTo(kept)) ?? null));
  };
  let current = 0;
  let timer = 0;
  /** A reader who comes back to the search page finds it as it was. */
  const { shownLimit = step, top = 0 } = (isPage && history.state) || {};
  let limit = shownLimit;
  /** Text of each result in the list. */
  let shown = [];
  const clear = () => {
    filter.replaceChildren();
    setOptions();
    rest.replaceChildren();
    shown = [];
  };
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

  /** For a reader who comes back, such as from a result. A dialog is closed then. */
  const keepSearch = () => {
    if (!isDialog) keepState({ shownLimit: limit, top: scrollY, query: input.value });
  };
  output.addEventListener('click', ({ target }) => target.closest('a') && keepSearch());

  // Enter leads to the same page as the link to all results.
  form.addEventListener('formdata', ({ formData }) => {
    if (category) formData.set('topic', category);
    keepSearch();
  });

  /** The link to all results always uses the current text of the field, even if older results are shown. */
  const leadToQuery = () => {
    const link = rest.querySelector('.search-all');
    if (link) link.href = addressOf(input.value.trim());
  };

  /** What the help offers; the contact form gets the question. */
  const showHelp = ({ groups, others }, query, ...first) => {
    setOptions(...first, ...groups);
    rest.replaceChildren(...others);
    const link = rest.querySelector('.contact[data-form] a');
    if (link && query) link.href += `?subject=${encodeURIComponent(query)}`;
  };

  /** For a query without a result: the query that was probably meant, with its results. */
  const showClosest = async (suggestion, help, { index, query, isCurrent }) => {
    const { texts } = index;
    if (!suggestion) {
      showHelp(help, query);
      return;
    }
    const { results } = await askWorker(index, {
      query: suggestion,
      limit: closestLimit,
      category: null,
      onFirst: null,
    });
    if (!isCurrent()) return;
    const text = fill(texts, 'searchSuggestion', { query: suggestion });
    const link = option({ href: addressOf(suggestion), className: 'search-suggestion' }, text);
    link.addEventListener('click', (event) => {
      event.preventDefault();
      event.stopPropagation();
      input.value = suggestion;
      input.focus();
      show();
    });
    showHelp({ ...help, groups: [] }, query, link, ...results.flatMap(resultOptions));
  };

  /** Shows what follows the results: a link to more, or help if there are none. */
  const showRest = async ({ total, suggestion }, { index, query, isCurrent }) => {
    const { texts } = index;
    if (total > limit && isPage) {
      const more = element('button', { type: 'button', className: 'button' }, fill(texts, 'searchMore'));
      more.addEventListener('click', async () => {
        const seen = list.querySelectorAll('.result').length;
        limit += moreResults;
        await show();
        list.querySelectorAll('.result')[seen]?.focus();
      });
      rest.replaceChildren(more);
    } else if (total > limit) {
      const text = fill(texts, total > maxCounted ? 'searchMore' : 'showAll', { count: total });
      rest.replaceChildren(element('a', { className: 'search-all' }, text));
      leadToQuery();
    } else if (total === 0) {
      const help = await loadHelp(form.dataset.search);
      if (isCurrent()) await showClosest(suggestion, help, { index, query, isCurrent });
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
    showFilter(answer, texts);
    // Counts for only some of the words are not shown, but their space is reserved.
    filter.style.visibility = isPartial ? 'hidden' : '';
    const wanted = results.map((result) => JSON.stringify(result));
    if (shown.length > 0 && shown.every((result, at) => result === wanted[at]))
      list.append(...results.slice(shown.length).flatMap(resultOptions));
    else setOptions(...results.flatMap(resultOptions));
    shown = wanted;
    setOpen(true);
    if (isPartial) status.textContent = '\u00a0';
    else if (total === 0)
      status.textContent = fill(texts, answer.suggestion ? 'searchClosest' : 'searchNone', { query });
    else if (total > maxCounted) status.textContent = fill(texts, 'searchMany', { count: maxCounted });
    else status.textContent = fill(texts, 'searchCount', { count: total });
  };

  /** Without a query: what most readers look for, in the dialog and on the search page. The home page shows it below its field. */
  const showStart = async (isCurrent) => {
    status.textContent = '';
    clear();
    setBusy(false);
    setOpen(isPage || isDialog);
    if (isPage && location.search) keepState(null, addressOf(''));
    if (!isPage && history.state?.query) keepState(null);
    if (!isPage && !isDialog) return;
    const help = await loadHelp(form.dataset.search);
    if (!isCurrent()) return;
    showHelp(help, '');
    setOpen(true);
  };

  /** @param isRepeated after a failure */
  const show = async (isRepeated = false) => {
    const query = input.value.trim();
    current += 1;
    const mine = current;
    const isCurrent = () => mine === current;
    let firstTimer = 0;
    status.classList.remove('failed');
    if (query === '') {
      await showStart(isCurrent);
      return;
    }
    setBusy(true);
    try {
      const index = await loadManifest();
      const { texts } = index;
      const showFirst = (first) => isCurrent() && showResults(first, texts, query);
      // Who clicks the first result at once must not get one that is about to be replaced.
      const onFirst = (first) => {
        firstTimer = setTimeout(showFirst, first.mayChange ? busyMs : 0, first);
      };
      const asking = { query, limit, category, onFirst: shown.length === 0 ? onFirst : null };
      const answer = await askWorker(index, asking).finally(() => clearTimeout(firstTimer));
      if (!isCurrent()) return;
      showResults(answer, texts, query);
      // A search in one category may have results in others, and an input method may yet make other words of the text.
      if (answer.total === 0 && !category && !input.form.hasAttribute('data-composing'))
        countMiss(form.dataset.countSearches, query);
      if (isPage) keepState({ shownLimit: limit }, addressOf(query));
      await showRest(answer, { index, query, isCurrent });
      if (isCurrent()) setOpen(true);
    } catch {
      if (!isCurrent()) return;
      // A build may have replaced the files that the index names.
      stop('failed');
      manifest = null;
      if (!isRepeated) {
        await show(true);
        return;
      }
      clear();
      setOpen(true);
      status.classList.add('failed');
      status.textContent = form.dataset.failed;
    }
    if (isCurrent()) setBusy(false);
  };
  const soon = () => {
    clearTimeout(timer);
    clearTimeout(counting);
    choose(null);
    // What is offered without a query is no result of the typed one.
    if (shown.length === 0) {
      setOptions();
      rest.replaceChildren();
    }
    limit = step;
    timer = setTimeout(show, 120);
    if (input.value.trim() !== '') setBusy(true);
    leadToQuery();
  };
  for (const type of ['input', 'compositionend']) input.addEventListener(type, soon);

  input.addEventListener('keydown', (event) => {
    const { key } = event;
    if (isComposing(event)) return;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (output.hidden) return;
      const all = [...list.querySelectorAll('[role=option]:not([hidden])')];
      if (all.length === 0) return;
      event.preventDefault();
      // Before the first and after the last option is the field itself.
      const at = all.indexOf(active) + (key === 'ArrowDown' ? 1 : -1);
      choose(at === -2 ? all.at(-1) : (all[at] ?? null));
    } else if (key === 'Enter' && active) {
      event.preventDefault();
      // With the modifiers of the key, which open a new tab.
      active.dispatchEvent(new MouseEvent('click', event));
    }
  });

  // The panel below a field closes like a menu; the dialog closes itself.
  if (!isPage && !isDialog) {
    const close = () => {
      // A late answer would open the panel again.
      clearTimeout(timer);
      current += 1;
      setBusy(false);
      setOpen(false);
    };
    for (const target of [form, output]) {
      target.addEventListener('keydown', (event) => {
        if (event.key !== 'Escape' || output.hidden || isComposing(event)) return;
        event.preventDefault();
        input.focus();
        close();
      });
    }
    for (const type of ['pointerdown', 'focusin']) {
      document.addEventListener(type, (event) => {
        if (!form.contains(event.target) && !output.contains(event.target)) close();
      });
    }
    input.addEventListener('click', () => {
      if (output.hidden) show();
    });
  }
  setOpen(false);
  if (input.value || isPage || isDialog) {
    show().then(() => {
      if (top > 0) scrollTo(0, top);
    });
  }
  if (!input.value) loadManifest().then(start, () => {});
}

if (typeof WorkerGlobalScope === 'function') serve({ stem: stemmer });
