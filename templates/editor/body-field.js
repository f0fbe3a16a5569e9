import { closeHtml, createKept, openHtml, openPasted } from './body-html.js';
import { announce, askForm, button, field, make } from './elements.js';
import { askImage } from './images.js';
import Squire from './squire.js';

const drawings = {
  bold: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z',
  italic: 'M10 5h8M6 19h8M14 5l-4 14',
  code: 'm8 7-5 5 5 5M16 7l5 5-5 5',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.7L12 17',
  bullets: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  numbers: 'M10 6h10M10 12h10M10 18h10M4 5l1.5-1v4.5M4 14.5c0-1.6 2.5-1.6 2.5 0 0 1-2.5 2-2.5 3.5h2.6',
  image: 'M4 5h16v14H4zM4 16l4-4 4 4 3-3 5 5M15 9h.01',
  table: 'M4 5h16v14H4zM4 10h16M4 14.5h16M12 5v14',
  undo: 'm8 5-4 4 4 4M4 9h10a5 5 0 0 1 0 10h-3',
  redo: 'm16 5 4 4-4 4M20 9H10a5 5 0 0 0 0 10h3',
};

const svgNames = 'http://www.w3.org/2000/svg';

function draw(name) {
  const svg = document.createElementNS(svgNames, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svgNames, 'path');
  path.setAttribute('d', drawings[name]);
  svg.append(path);
  return svg;
}

const styles = [
  ['P', 'Text'],
  ['H2', 'Heading'],
  ['H3', 'Small heading'],
  ['H4', 'Smallest heading'],
  ['PRE', 'Code'],
];
const boxes = [
  ['', 'No box'],
  ['note', 'Note'],
  ['tip', 'Tip'],
  ['important', 'Important'],
  ['warning', 'Warning'],
  ['caution', 'Caution'],
  ['quote', 'Quote'],
];
const blockNames = 'p, h1, h2, h3, h4, h5, h6, pre';
const boxNames = boxes
  .map(([kind]) => (kind === 'quote' ? 'blockquote' : kind && `.${kind}-callout`))
  .filter(Boolean);
const linkPattern = /^(?:https?:\/\/|mailto:|tel:|\/|#)\S+$/i;

/** Gives the blocks of a part of the text another style. */
function restyle(fragment, tag) {
  for (const block of fragment.querySelectorAll(`${blockNames}, div`)) {
    if (block.nodeName === tag || block.querySelector(`${blockNames}, div, ul, ol, table, blockquote`))
      continue;
    const made = document.createElement(tag);
    if (tag === 'PRE') for (const line of block.querySelectorAll('br')) line.replaceWith('\n');
    made.append(...block.childNodes);
    if (block.nodeName === 'PRE' && tag !== 'PRE') {
      const lines = made.textContent.split('\n');
      made.replaceChildren(...lines.flatMap((line, at) => (at === 0 ? [line] : [make('br'), line])));
    }
    block.replaceWith(made);
  }
  return fragment;
}

/**
 * The field for the text of an article, with its tools.
 * @param onInput called after each change of the author
 */
export function createBodyField({ label, onInput }) {
  const surface = make('div', {
    className: 'surface prose',
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': label,
    spellcheck: true,
  });
  let isOpening = true;
  let kept = createKept();
  const squire = new Squire(surface, {
    blockTag: 'P',
    sanitizeToDOMFragment: (html) => (isOpening ? openHtml(html, kept) : openPasted(html)),
    didError: (error) => console.error(error),
  });
  isOpening = false;
  let opened = '';
  let isReady = false;
  let isEdited = false;
  let isReadOnly = false;

  const place = () => {
    const node = squire.getSelection()?.startContainer ?? surface;
    return node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
  };
  const around = (names) => {
    const found = place()?.closest(names);
    return found && found !== surface && surface.contains(found) ? found : null;
  };
  /** Inserts an element of the editor itself. */
  const insert = (element) => {
    isOpening = true;
    try {
      squire.insertHTML(element.outerHTML);
    } finally {
      isOpening = false;
    }
    squire.focus();
  };
  const changeByHand = (change) => {
    squire.saveUndoState();
    change();
    squire.fireEvent('input');
    squire.focus();
  };

  async function askLink() {
    const known = around('a');
    const selected = squire.getSelectedText();
    const url = make('input', { type: 'text', inputMode: 'url', value: known?.getAttribute('href') ?? '' });
    const text = make('input', { type: 'text', value: known?.textContent ?? selected });
    const isNew = known === null && selected.trim() === '';
    const answer = await askForm(
      known === null ? 'Add a link' : 'Change the link',
      [
        field(
          'Address',
          url,
          'A web address, or an article of this help centre such as /article/4kPj7Nv1Cg-reset',
        ),
        isNew ? field('Text of the link', text) : null,
      ],
      known === null ? 'Add link' : 'Change link',
      () => {
        const typed = url.value.trim();
        if (typed === '' && known !== null) return { href: '' };
        const href = /^[\w-]+(?:\.[\w-]+)+(?:\/\S*)?$/.test(typed) ? `https://${typed}` : typed;
        return linkPattern.test(href)
          ? { href, text: text.value.trim() }
          : 'Enter an address that begins with https:// or mailto:';
      },
    );
    squire.focus();
    if (answer === null) return;
    if (known !== null) {
      changeByHand(() => {
        if (answer.href === '') known.replaceWith(...known.childNodes);
        else known.setAttribute('href', answer.href);
      });
    } else if (isNew) insert(make('a', { href: answer.href }, answer.text || answer.href));
    else squire.makeLink(answer.href);
  }

  async function addImage(given = null) {
    const answer = await askImage(given);
    if (answer === null) return;
    insert(make('img', { src: answer.src, alt: answer.alt }));
    announce('Image added.');
  }

  function addTable() {
    const row = (tag) =>
      make(
        'tr',
        {},
        [0, 1, 2].map(() => make(tag, {}, make('br'))),
      );
    insert(make('table', {}, make('thead', {}, row('th')), make('tbody', {}, row('td'), row('td'))));
  }

  function changeTable(what) {
    const cell = around('td, th');
    if (cell === null) return;
    const row = cell.parentElement;
    const table = cell.closest('table');
    const at = [...row.children].indexOf(cell);
    const isColumn = what.endsWith('column');
    if (isColumn && table.querySelector('[colspan], [rowspan]')) {
      announce('This table has merged cells, so columns cannot be changed here.');
      return;
    }
    changeByHand(() => {
      if (what === 'Add row') {
        const next = make(
          'tr',
          {},
          [...row.children].map(() => make('td', {}, make('br'))),
        );
        if (row.parentElement.nodeName === 'THEAD') (table.tBodies[0] ?? table).prepend(next);
        else row.after(next);
      } else if (what === 'Add column') {
        for (const each of table.rows)
          each.children[at]?.after(make(each.children[at].localName, {}, make('br')));
      } else if (what === 'Remove row') {
        row.remove();
      } else {
        for (const each of table.rows) each.children[at]?.remove();
      }
      if (table.querySelector('td, th') === null) table.remove();
    });
  }

  const toggle = (name, add, remove) => () => (squire.hasFormat(name) ? remove() : add());
  const tools = [
    [
      'bold',
      'Bold',
      'b, strong',
      toggle(
        'B',
        () => squire.bold(),
        () => squire.removeBold(),
      ),
    ],
    [
      'italic',
      'Italic',
      'i, em',
      toggle(
        'I',
        () => squire.italic(),
        () => squire.removeItalic(),
      ),
    ],
    [
      'code',
      'Code in the text',
      'code',
      toggle(
        'CODE',
        () => squire.changeFormat({ tag: 'CODE' }),
        () => squire.changeFormat(null, { tag: 'CODE' }),
      ),
    ],
    ['link', 'Link', 'a', askLink],
    ['bullets', 'List', 'ul', () => (around('ul') ? squire.removeList() : squire.makeUnorderedList())],
    ['numbers', 'Numbered list', 'ol', () => (around('ol') ? squire.removeList() : squire.makeOrderedList())],
    ['image', 'Image', null, () => addImage()],
    ['table', 'Table', 'table', addTable],
    ['undo', 'Undo', null, () => squire.undo()],
    ['redo', 'Redo', null, () => squire.redo()],
  ].map(([name, title, names, run]) => ({
    names,
    element: make(
      'button',
      {
        type: 'button',
        title,
        'aria-label': title,
        'aria-pressed': names === null || name === 'link' || name === 'table' ? undefined : 'false',
        // The text keeps its selection.
        onmousedown: (event) => event.preventDefault(),
        onclick: run,
      },
      draw(name),
    ),
  }));

  const style = make('select', { 'aria-label': 'Style of the paragraph' }, choicesOf(styles));
  style.addEventListener('change', () => {
    if (around('li')) squire.removeList();
    squire.modifyBlocks((fragment) => restyle(fragment, style.value));
    squire.focus();
  });
  const box = make('select', { 'aria-label': 'Box around the paragraphs' }, choicesOf(boxes));
  box.addEventListener('change', () => {
    const known = around(boxNames.join(', '));
    if (known !== null) {
      changeByHand(() => {
        if (box.value === '') known.replaceWith(...known.childNodes);
        else if (box.value !== 'quote' && known.nodeName === 'DIV') known.className = `${box.value}-callout`;
        else known.replaceWith(make(...frameOf(box.value), [...known.childNodes]));
      });
    } else if (box.value !== '') {
      squire.modifyBlocks((fragment) => make(...frameOf(box.value), [...fragment.childNodes]));
      squire.focus();
    }
  });
  const tableTools = make(
    'span',
    { className: 'table-tools', hidden: true },
    ['Add row', 'Add column', 'Remove row', 'Remove column'].map((what) =>
      button(what, () => changeTable(what), { onmousedown: (event) => event.preventDefault() }),
    ),
  );
  const toolbar = make(
    'div',
    { className: 'toolbar', role: 'toolbar', 'aria-label': 'Format' },
    style,
    box,
    tools.map(({ element }) => element),
    tableTools,
  );
  followArrows(toolbar);

  function refresh() {
    if (!isReady) return;
    for (const { names, element } of tools) {
      if (element.hasAttribute('aria-pressed'))
        element.setAttribute('aria-pressed', String(around(names) !== null));
    }
    style.value = around(blockNames)?.nodeName ?? 'P';
    if (style.selectedIndex === -1) style.value = 'H2';
    const known = around(boxNames.join(', '));
    box.value =
      known === null
        ? ''
        : known.nodeName === 'BLOCKQUOTE'
          ? 'quote'
          : known.className.replace(/-callout.*/, '');
    tableTools.hidden = around('table') === null;
  }

  for (const event of ['pathChange', 'select', 'cursor', 'input']) squire.addEventListener(event, refresh);
  squire.addEventListener('input', () => {
    // The field also reports what it has just opened.
    if (isReady && !isReadOnly && (isEdited || squire.getHTML() !== opened)) {
      isEdited = true;
      onInput();
    }
  });
  squire.addEventListener('pasteImage', ({ detail }) => {
    const file = [...detail.clipboardData.files].find(({ type }) => type.startsWith('image/'));
    if (file) addImage(file);
  });
  surface.addEventListener('dragover', (event) => event.preventDefault());
  surface.addEventListener(
    'drop',
    (event) => {
      const [file] = event.dataTransfer?.files ?? [];
      if (file === undefined) return;
      // A browser would leave the page and show the file.
      event.preventDefault();
      event.stopImmediatePropagation();
      addImage(file);
    },
    { capture: true },
  );

  return {
    element: make('div', { className: 'body-field' }, toolbar, surface),
    surface,
    /** Shows a body. */
    open(html, { language, direction, readOnly }) {
      isReady = false;
      isOpening = true;
      isReadOnly = readOnly;
      kept = createKept();
      surface.lang = language;
      surface.dir = direction;
      squire.setHTML(html);
      isOpening = false;
      surface.contentEditable = String(!readOnly);
      surface.setAttribute('aria-readonly', String(readOnly));
      toolbar.hidden = readOnly;
      opened = squire.getHTML();
      isEdited = false;
      isReady = true;
    },
    /** Whether the author has changed what was opened. */
    isChanged: () => squire.getHTML() !== opened,
    read: () => closeHtml(squire.getHTML(), kept),
    close: () => squire.destroy(),
  };
}

function choicesOf(choices) {
  return choices.map(([value, text]) => make('option', { value }, text));
}

function frameOf(kind) {
  return kind === 'quote' ? ['blockquote', {}] : ['div', { className: `${kind}-callout` }];
}

/** A toolbar is one stop of the Tab key; arrow keys move in it. */
function followArrows(toolbar) {
  const stops = () =>
    [...toolbar.querySelectorAll('button, select')].filter((stop) => stop.offsetParent !== null);
  const move = (to) => {
    for (const stop of toolbar.querySelectorAll('button, select')) stop.tabIndex = stop === to ? 0 : -1;
  };
  move(toolbar.querySelector('select'));
  toolbar.addEventListener('focusin', (event) => move(event.target));
  toolbar.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = stops();
    all[(all.indexOf(document.activeElement) + step + all.length) % all.length]?.focus();
  });
}
