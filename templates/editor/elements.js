/**
 * Makes an element. Properties are set as properties if the element has them, else as attributes; `on…` are listeners. Text is always
 * text: nothing here reads HTML.
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'dataset') Object.assign(element.dataset, value);
    else if (name.includes('-') || !(name in element)) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ''));
  return element;
}

let ids = 0;

/** A label with its field, and a text about it. */
export function field(label, control, hint = null) {
  ids += 1;
  control.id = `field-${ids}`;
  const note = hint === null ? null : make('p', { className: 'hint', id: `hint-${ids}` }, hint);
  if (note !== null) control.setAttribute('aria-describedby', note.id);
  return make('div', { className: 'field' }, make('label', { htmlFor: control.id }, label), control, note);
}

/** A button that is no submit button. */
export function button(text, onclick, properties = {}) {
  return make('button', { type: 'button', onclick, ...properties }, text);
}

let clearing = 0;

/** Says something that happened, also to screen readers; it disappears after some seconds. */
export function announce(text) {
  const status = document.querySelector('.status');
  status.textContent = text;
  status.classList.add('is-shown');
  clearTimeout(clearing);
  clearing = setTimeout(() => status.classList.remove('is-shown'), 6000);
}

/**
 * Shows a modal dialog, and returns what its `close` function is called with; `null` if it is cancelled.
 * @param build gets `close` and returns the content
 */
export function openDialog(title, build, { className = '' } = {}) {
  return new Promise((resolve) => {
    ids += 1;
    let result = null;
    const opener = document.activeElement;
    const dialog = make('dialog', { className: `dialog ${className}`, 'aria-labelledby': `title-${ids}` });
    const close = (value) => {
      result = value;
      dialog.close();
    };
    dialog.addEventListener('close', () => {
      dialog.remove();
      opener?.focus?.();
      resolve(result);
    });
    dialog.append(make('h2', { id: `title-${ids}` }, title), ...[build(close)].flat());
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** A form in a dialog. `fields` are shown above the buttons; `read` returns the result, or the sentence that says what is wrong. */
export function askForm(title, fields, submitText, read) {
  return openDialog(title, (close) => {
    const wrong = make('p', { className: 'wrong', role: 'alert' });
    const submit = async (event) => {
      event.preventDefault();
      wrong.textContent = '';
      const answer = await read();
      if (typeof answer === 'string') wrong.textContent = answer;
      else close(answer);
    };
    return make(
      'form',
      { onsubmit: submit, noValidate: true },
      fields,
      wrong,
      make(
        'div',
        { className: 'actions' },
        make('button', { type: 'submit', className: 'primary' }, submitText),
        button('Cancel', () => close(null)),
      ),
    );
  });
}

/** A question with some answers, each with a value. */
export function askChoice(title, text, choices) {
  return openDialog(title, (close) => [
    make('p', {}, text),
    make(
      'div',
      { className: 'actions' },
      choices.map(([label, value], at) =>
        button(label, () => close(value), { className: at === 0 ? 'primary' : '' }),
      ),
    ),
  ]);
}

/** Date and time in the words of the browser's language. */
export function showTime(moment) {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(moment),
  );
}

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

/** English name of a language. */
export function nameLanguage(tag) {
  try {
    return names.of(tag);
  } catch {
    return tag;
  }
}

const rightToLeft = new Set([
  'Adlm',
  'Arab',
  'Aran',
  'Hebr',
  'Mand',
  'Mend',
  'Nkoo',
  'Rohg',
  'Samr',
  'Syrc',
  'Thaa',
]);

/** Writing direction of a language. */
export function directionOf(tag) {
  try {
    return rightToLeft.has(new Intl.Locale(tag).maximize().script) ? 'rtl' : 'ltr';
  } catch {
    return 'ltr';
  }
}
