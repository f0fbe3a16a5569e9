// Small conveniences; pages work without them.

const root = document.documentElement;

/** Stores a value if storage is available. */
function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage may be disabled; then the choice is lost after this page.
  }
}

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Whether a key belongs to an input method. Safari sends the last one after the composition, with this code. */
const isComposing = (event) => event.isComposing || event.keyCode === 229;

// The scripts of a search may load while an input method composes in its field.
for (const type of ['input', 'compositionend'])
  document.addEventListener(
    type,
    ({ target, isComposing }) => target.form?.toggleAttribute('data-composing', isComposing === true),
    true,
  );

// What sticks below the header, and the place of a section that a link leads to, follow its height.
const header = document.querySelector('.site-header');
if (header)
  new ResizeObserver(() =>
    root.style.setProperty('--header-height', `${Math.floor(header.getBoundingClientRect().height)}px`),
  ).observe(header);

for (const button of document.querySelectorAll('.theme-switch')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const isDark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = isDark ? 'light' : 'dark';
    remember('theme', root.dataset.theme);
  });
}

for (const menu of document.querySelectorAll('details.languages')) {
  menu.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (!link) return;
    remember('language', link.hreflang);
    // Headings have the same ids in every language, and the search page has its query in the URL.
    if (!link.matches('.elsewhere')) [link.search, link.hash] = [location.search, location.hash];
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open || isComposing(event)) return;
    menu.open = false;
    menu.querySelector('summary').focus();
  });
  for (const type of ['click', 'focusin']) {
    document.addEventListener(type, (event) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
  }
  const filter = menu.querySelector('.language-filter');
  const addFilter = async () => (await import('./filters.js')).filterLanguages(menu, filter);
  // On a slow connection, a reader opens the menu before this script runs.
  if (filter && menu.open) addFilter();
  else if (filter) menu.addEventListener('toggle', addFilter, { once: true });
}

const lists = document.querySelectorAll('.list-filter');
if (lists.length > 0) import('./filters.js').then(({ filterList }) => lists.forEach(filterList));

/** Marks the section being read in the table of contents. */
function followSections(toc) {
  const links = new Map(
    [...toc.querySelectorAll('a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
  );
  const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? []);
  let current = null;
  const update = () => {
    // At the end of the page, short sections do not come up to the line: there, the chosen one counts, or the last one that is visible.
    const isEnd = scrollY > 0 && root.scrollHeight - innerHeight - scrollY < 2;
    const topOf = (heading) => heading.getBoundingClientRect().top;
    const passed = headings.findLast((heading) => topOf(heading) < innerHeight * (isEnd ? 1 : 0.3));
    const chosen = isEnd && headings.find((heading) => heading.matches(':target') && topOf(heading) >= 0);
    const link = links.get((chosen || passed || headings[0])?.id) ?? null;
    if (link === current) return;
    current?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'location');
    current = link;
    // A long list moves along, so that its current entry stays in sight.
    if (link && getComputedStyle(toc).position === 'sticky')
      toc.scrollTop +=
        link.getBoundingClientRect().top - toc.getBoundingClientRect().top - toc.clientHeight / 2;
  };
  for (const type of ['scroll', 'hashchange']) addEventListener(type, update);
  update();
}

// If there is room, style sheets show both lists beside the text. For browsers that cannot do this with closed details, open them.
for (const [list, width] of [
  ['.tree', '60rem'],
  ['.toc', '72rem'],
]) {
  const details = document.querySelector(`${list} > details`);
  if (details && matchMedia(`(min-width: ${width})`).matches) details.open = true;
}

// The list beside a page scrolls so far that the current entry has some before it.
const tree = document.querySelector('.tree');
const entry = tree?.querySelector('[aria-current]');
if (entry)
  tree.scrollTop =
    entry.getBoundingClientRect().top - tree.getBoundingClientRect().top - tree.clientHeight / 3;

// Holds the section in place while images above it load, until the reader moves.
if (location.hash && performance.getEntriesByType('navigation')[0]?.type === 'navigate') {
  const observer = new ResizeObserver(() => document.querySelector(':target')?.scrollIntoView());
  observer.observe(document.body);
  for (const type of ['wheel', 'pointerdown', 'keydown']) addEventListener(type, () => observer.disconnect());
}

const toc = document.querySelector('.toc');
if (toc) followSections(toc);

const sheets = '<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5 15V6a2 2 0 0 1 2-2h9"/>';
const tick = '<path d="m5 12.5 4.5 4.5L19 7.5"/>';

const prose = document.querySelector('.prose');
if (prose) {
  const { copy, copied, section } = prose.dataset;
  for (const heading of prose.querySelectorAll(':is(h2, h3, h4)[id]:not(summary *)')) {
    const href = `#${encodeURIComponent(heading.id)}`;
    const label = `${section}: ${heading.textContent}`;
    // Screen readers take the name of the heading from its own text, without that of the link.
    const id = `${heading.id}:text`;
    heading.append(element('span', { id }, ...heading.childNodes));
    heading.append(element('a', { class: 'anchor', href, 'aria-label': label }, '#'));
    heading.setAttribute('aria-labelledby', id);
  }
  for (const head of navigator.clipboard ? prose.querySelectorAll('.code-head') : []) {
    const button = element('button', { class: 'copy-button', type: 'button' });
    const show = (label, drawing) => {
      button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true">${drawing}</svg>`;
      button.append(label);
    };
    show(copy, sheets);
    button.addEventListener('click', async () => {
      // With the end of the last line, a terminal would run a command as soon as it is pasted.
      await navigator.clipboard.writeText(head.nextElementSibling.textContent.replace(/\n+$/, ''));
      show(copied, tick);
      setTimeout(() => show(copy, sheets), 2000);
    });
    head.append(button);
  }
  // The head of a table sticks to the page only if the table itself does not scroll.
  const tables = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      target.classList.remove('fits');
      target.classList.toggle('fits', target.scrollWidth <= target.clientWidth);
    }
  });
  for (const table of prose.querySelectorAll('.table-scroll')) tables.observe(table);
}

/** Images at least this wide are screenshots, not signs within a sentence. */
const minScreenshotWidth = 200;

/** Gives a screenshot an edge, and makes it a button if it is shown smaller than its size. */
function prepareImage(image) {
  const { clientWidth, naturalWidth } = image;
  const isWide = clientWidth >= minScreenshotWidth;
  image.classList.add(isWide ? 'screenshot' : 'sign');
  if (!isWide || image.closest('a, button') || naturalWidth < clientWidth * 1.2) return;
  const button = element('button', {
    class: image.classList.contains('image-block') ? 'zoom' : 'zoom zoom-inline',
    type: 'button',
    'aria-label': [prose.dataset.enlarge, image.alt].filter(Boolean).join(': '),
  });
  button.addEventListener('click', async () => (await import('./zoom.js')).zoom(image, prose.dataset));
  image.replaceWith(button);
  button.append(image);
}

// The words of the search that led here.
try {
  const [path, terms] = JSON.parse(sessionStorage.getItem('search-terms') ?? '[]');
  if (prose && path === location.pathname)
    import('./highlight.js').then(({ highlight }) => highlight(prose, terms));
} catch {
  // Storage may be disabled.
}

const diagrams = document.querySelectorAll('.prose pre > .language-mermaid');
if (diagrams.length > 0) import('./diagrams.js').then(({ drawDiagrams }) => drawDiagrams(diagrams));

for (const image of document.querySelectorAll('.prose img')) {
  if (image.complete) prepareImage(image);
  else image.addEventListener('load', () => prepareImage(image), { once: true });
}

for (const button of document.querySelectorAll('.print-all')) {
  button.hidden = false;
  button.addEventListener('click', async () => (await import('./print.js')).printAll(button));
}

for (const button of navigator.clipboard ? document.querySelectorAll('.copy-page') : []) {
  const { href, copied } = button.dataset;
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const text = fetch(href).then((answer) => {
      if (!answer.ok) throw new Error(answer.statusText);
      return answer.text();
    });
    try {
      // Safari takes what it is given during the click, also if its text comes later.
      if (globalThis.ClipboardItem) {
        const plain = text.then((content) => new Blob([content], { type: 'text/plain' }));
        await navigator.clipboard.write([new ClipboardItem({ 'text/plain': plain })]);
      } else await navigator.clipboard.writeText(await text);
    } catch {
      return;
    }
    button.textContent = copied;
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}

const countUrl = document.querySelector('[data-count]')?.dataset.count;
// Readers who ask not to be tracked are not counted, although the counter stores nothing about them.
if (countUrl && !navigator.globalPrivacyControl && navigator.doNotTrack !== '1') {
  fetch(countUrl, {
    method: 'POST',
    mode: 'no-cors',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    keepalive: true,
  }).catch(() => {});
}

const feedback = document.querySelectorAll('.feedback');
if (feedback.length > 0)
  import('./feedback.js').then(({ enhanceFeedback }) => feedback.forEach(enhanceFeedback));

let failures = 0;

/**
 * Loads the search with its index, side by side, and wires a form. If the search cannot be loaded, an error is shown, and
 * the next input loads it again.
 */
async function startSearch(form, output, isPage = false) {
  const { index, script, failed } = form.dataset;
  const answer = fetch(index);
  // The search requests it again.
  answer.catch(() => {});
  // Browsers cache a failed script load by its URL. Forms from before scripts per language name no script.
  const loading = script ? import(failures > 0 ? `${script}#${failures}` : script) : import('./search.js');
  const answering = form.dataset.answers ? import('./answers.js').catch(() => null) : null;
  const wait = () => form.toggleAttribute?.('data-busy', form.elements.q.value.trim() !== '');
  form.elements.q.addEventListener('input', wait);
  const [search, answers] = await Promise.all([loading.catch(() => null), answering]);
  form.elements.q.removeEventListener('input', wait);
  if (search) {
    output.replaceChildren();
    search.attach({ form, output, answer, isPage, answers });
    return;
  }
  failures += 1;
  const status = element('p', { class: 'search-status failed', role: 'status' });
  form.removeAttribute?.('data-busy');
  output.replaceChildren(status);
  status.textContent = failed;
  form.elements.q.addEventListener('input', () => startSearch(form, output, isPage), { once: true });
}

/** Search forms in the page: results appear below them, and Enter opens the search page. */
function enhanceForm(form) {
  const isPage = document.body.classList.contains('page-search');
  const input = form.elements.q;
  form.action = form.dataset.search;
  // On a slow connection, a reader types before this script runs.
  const isTyped = document.activeElement === input && input.value !== '';
  // The home page has what the reader typed there before a result was opened.
  const query = isPage ? new URLSearchParams(location.search).get('q') : history.state?.query;
  if (!isTyped && (isPage || query)) input.value = query ?? '';
  const start = () => {
    const output = element('div', { class: 'search-output' });
    form.after(output);
    startSearch(form, output, isPage);
  };
  if (isPage || query) input.focus();
  if (document.activeElement === input) start();
  else input.addEventListener('focus', start, { once: true });
}

const forms = document.querySelectorAll('main .search-form');
forms.forEach(enhanceForm);

const searchBox = document.querySelector('template.search-box')?.content.firstElementChild;
// Until `enhanceForm` runs, a form leads to the list of all articles, as without scripts.
if (document.body.classList.contains('page-index') && new URLSearchParams(location.search).get('q'))
  location.replace(searchBox.dataset.search + location.search);

if (forms.length > 0 && document.body.classList.contains('page-home')) {
  const link = document.querySelector('.search-link');
  new IntersectionObserver(([{ isIntersecting }]) => link?.classList.toggle('is-needed', !isIntersecting), {
    rootMargin: `-${header?.offsetHeight ?? 0}px 0px 0px`,
  }).observe(forms[0]);
}

const contact = document.querySelector('.contact-form');
if (contact) import('./contact.js').then(({ offerArticles }) => offerArticles(contact, startSearch));

let dialog = null;

/** Whether a click on a link opens a new tab or window. */
const opensElsewhere = ({ ctrlKey, metaKey, shiftKey }) => ctrlKey || metaKey || shiftKey;

/** Opens the search dialog immediately, so that no key press is lost while the search is loading. */
function openSearch() {
  if (!dialog) {
    const form = searchBox.cloneNode(true);
    const output = element('div', { class: 'search-output' });
    form.action = form.dataset.search;
    dialog = element('dialog', { class: 'search-dialog', 'aria-label': form.dataset.label }, form, output);
    const input = form.elements.q;
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || isComposing(event)) return;
      // Some browsers would only empty the field.
      event.preventDefault();
      dialog.close();
      // Until the next frame, the hidden field would keep the focus, and the shortcut that opens the search would be a letter typed in it.
      input.blur();
    });
    // A press that begins in the dialog, such as to select the typed words, may end outside of it.
    let isOutside = false;
    dialog.addEventListener('pointerdown', ({ clientX, clientY }) => {
      const { left, right, top, bottom } = dialog.getBoundingClientRect();
      isOutside = clientX < left || clientX > right || clientY < top || clientY > bottom;
    });
    dialog.addEventListener('click', (event) => {
      const isDone = event.target.closest('.search-close, .search-output a') && !opensElsewhere(event);
      if (isDone || (event.target === dialog && isOutside)) dialog.close();
    });
    document.body.append(dialog);
    startSearch(form, output);
  }
  dialog.showModal();
  dialog.querySelector('input').select();
}

for (const link of document.querySelectorAll('.search-link')) {
  link.addEventListener('click', (event) => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    openSearch();
  });
}

addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
  // A form that the browser fills in sends events without a key.
  const { key = '', code } = event;
  // A keyboard for other than Latin letters has one of them at the place of K.
  const isK = key.toLowerCase() === 'k' || (code === 'KeyK' && key > '\x7f');
  const isShortcut =
    (key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) ||
    (isK && (event.ctrlKey || event.metaKey));
  if (!isShortcut) return;
  event.preventDefault();
  if (forms.length > 0) forms[0].elements.q.focus();
  else openSearch();
});
