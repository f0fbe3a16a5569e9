// Small conveniences on top of pages that work without any of them.

const root = document.documentElement;

/** Puts a value into storage where that is allowed. */
function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage may be forbidden; the choice then lasts for this page.
  }
}

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
    if (link) remember('language', link.hreflang);
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    menu.open = false;
    menu.querySelector('summary').focus();
  });
  document.addEventListener('click', (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
}

/** Marks the section being read in the table of contents. */
function followSections(toc) {
  const links = new Map(
    [...toc.querySelectorAll('a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
  );
  const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? []);
  let current = null;
  const update = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight * 0.3);
    const link = links.get((passed.at(-1) ?? headings[0])?.id) ?? null;
    if (link === current) return;
    current?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'location');
    current = link;
  };
  let isDue = false;
  addEventListener(
    'scroll',
    () => {
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        update();
      });
    },
    { passive: true },
  );
  update();
}

// Style sheets show both lists beside the text where there is room; browsers that cannot do so for closed details get them open.
if (matchMedia('(min-width: 72rem)').matches) {
  for (const list of document.querySelectorAll(':is(.toc, .tree) > details')) list.open = true;
}

document.querySelector('.tree [aria-current]')?.scrollIntoView({ block: 'nearest' });

const toc = document.querySelector('.toc');
if (toc) followSections(toc);

const prose = document.querySelector('.prose');
if (prose) {
  const { copy, copied, section } = prose.dataset;
  for (const heading of prose.querySelectorAll(':is(h2, h3, h4)[id]')) {
    const link = document.createElement('a');
    link.className = 'anchor';
    link.href = `#${encodeURIComponent(heading.id)}`;
    link.textContent = '#';
    link.ariaLabel = `${section}: ${heading.textContent}`;
    heading.append(link);
  }
  for (const block of navigator.clipboard ? prose.querySelectorAll('pre') : []) {
    const frame = document.createElement('div');
    frame.className = 'code-frame';
    const button = document.createElement('button');
    button.className = 'copy-button';
    button.type = 'button';
    button.textContent = copy;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = copied;
      setTimeout(() => {
        button.textContent = copy;
      }, 2000);
    });
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

const loadSearch = () => import('./search.js');

/** Search forms in the page itself: results appear below them, and Enter leads to the search page. */
function enhanceForm(form) {
  const isPage = document.body.classList.contains('page-search');
  const input = form.elements.q;
  form.action = form.dataset.search;
  if (isPage) input.value = new URLSearchParams(location.search).get('q') ?? '';
  const start = async () => {
    input.removeEventListener('focus', start);
    const output = document.createElement('div');
    output.className = 'search-output';
    form.after(output);
    const { attach } = await loadSearch();
    attach({ input, output, index: form.dataset.index, isPage });
  };
  input.addEventListener('focus', start);
  if (isPage) input.focus();
}

const forms = document.querySelectorAll('main .search-form');
forms.forEach(enhanceForm);

let dialog = null;

/** Opens the search dialog at once, so that no key is lost while the search itself is being loaded. */
function openSearch() {
  if (!dialog) {
    const form = document.querySelector('template.search-box').content.firstElementChild.cloneNode(true);
    const output = document.createElement('div');
    output.className = 'search-output';
    form.action = form.dataset.search;
    dialog = document.createElement('dialog');
    dialog.className = 'search-dialog';
    dialog.ariaLabel = form.dataset.label;
    dialog.append(form, output);
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog || event.target.closest('.search-close, .results a')) dialog.close();
    });
    document.body.append(dialog);
    const input = form.elements.q;
    loadSearch().then(({ attach }) => attach({ input, output, index: form.dataset.index }));
  }
  dialog.showModal();
  dialog.querySelector('input').select();
}

for (const link of document.querySelectorAll('.search-link')) {
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openSearch();
  });
}

addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
  const isShortcut =
    (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) ||
    (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey));
  if (!isShortcut) return;
  event.preventDefault();
  if (forms.length > 0) forms[0].elements.q.focus();
  else openSearch();
});
