// Shows the help centre in a page of another site: a button, and a panel with pages of the site in a frame, so that styles, scripts and the
// Content-Security-Policy of both do not mix. Published as `widget.js`, in a function whose `config` has the texts of all languages.
// Nothing is loaded before the reader opens the panel.

const script = document.currentScript;
const { label, theme, language = document.documentElement.lang } = script.dataset;
const scheme = theme === 'light' || theme === 'dark' ? theme : 'light dark';
/** A colour of the site, as CSS. */
const css = ({ light, dark }) => `light-dark(${light}, ${dark})`;

/** Language and script of a tag: `zh-TW` and `zh-Hant` have the same. */
function writingOf(tag) {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    // Not every tag of a page is valid.
    return tag;
  }
}

/** The language of the site for a wanted one: itself, a shorter tag, another region, another script, or the first of the site. */
function findLanguage(wanted) {
  const tags = Object.keys(config.languages);
  // Some servers write en_US.
  const whole = wanted.toLowerCase().replaceAll('_', '-');
  const alike = tags.filter((tag) => writingOf(tag) === writingOf(whole));
  for (let tag = whole; tag; tag = tag.replace(/(?:^|-)[^-]*$/, '')) {
    const found = alike.find((each) => each.toLowerCase() === tag);
    if (found) return found;
  }
  const [primary] = whole.split('-');
  return alike[0] ?? tags.find((each) => each.toLowerCase().split('-')[0] === primary) ?? config.first;
}

/** An SVG element, without markup in a string, which Trusted Types of the page would refuse. */
function drawing(path) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// A constructed sheet: strict policies block <style>. Its lengths are in em: pages change rem.
const styles = `
:host { all: initial; color-scheme: ${scheme}; font: medium/1.5 system-ui, sans-serif;
  --accent: ${css(config.accent)}; --on-accent: light-dark(#fff, #10142b);
  --ground: ${css(config.ground)}; --text: light-dark(#1c2024, #e6e8ee); --line: light-dark(#dfe2e8, #2c313b); }
:host, .open { position: fixed; z-index: 2147483000; }
button { font: inherit; cursor: pointer; }
svg { inline-size: 1.5em; block-size: 1.5em; fill: none; stroke: currentColor; stroke-width: 1.75;
  stroke-linecap: round; stroke-linejoin: round; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.open { inset-block-end: 1.25em; inset-inline-end: 1.25em; display: flex;
  align-items: center; gap: .5em; min-inline-size: 3.5em; min-block-size: 3.5em; padding: 1em; border: 0;
  border-radius: 2em; background: var(--accent); color: var(--on-accent); font-weight: 600;
  box-shadow: 0 4px 16px #10142b40; }
dialog { inset: auto; inset-block-end: 1.25em; inset-inline-end: 1.25em; margin: 0; padding: 0;
  inline-size: min(27em, 100vw - 2.5em); block-size: min(42em, 100dvh - 2.5em); max-inline-size: none;
  max-block-size: none; border: 1px solid light-dark(#dfe2e8, #4a5262); border-radius: 12px; overflow: hidden;
  background: var(--ground); color: var(--text); box-shadow: 0 12px 48px #10142b40; }
dialog[open] { display: flex; flex-direction: column; }
dialog::backdrop { background: #10142b40; }
header { display: flex; align-items: center; gap: 1em; padding: .25em; padding-inline-start: 1em;
  border-block-end: 1px solid var(--line); }
a { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: inherit;
  font-weight: 600; text-decoration: none; }
a:hover { text-decoration: underline; }
.close { display: grid; place-items: center; inline-size: 2.75em; block-size: 2.75em; padding: 0; border: 0;
  border-radius: 8px; background: none; color: inherit; }
iframe { flex: 1; inline-size: 100%; border: 0; }
@media (max-width: 30rem) { dialog { inset: 0; inline-size: 100%; block-size: 100%; border: 0; border-radius: 0; } }
@media print { :host { display: none; } }
`;

function start() {
  // A page that loads the script twice has one button.
  if (document.querySelector('lectern-help')) return;
  const tag = findLanguage(language);
  const { dir, home, search, site, title, close } = config.languages[tag];
  const address = (path) => new URL(path, script.src).href;

  const host = element('lectern-help', { lang: tag, dir });
  const shadow = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  shadow.adoptedStyleSheets = [sheet];

  const mark = drawing(
    'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5h.01M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0',
  );
  const button = element('button', { type: 'button', className: 'open' }, mark, label ?? '');
  button.setAttribute('aria-label', label || title);
  button.setAttribute('aria-haspopup', 'dialog');
  button.title = label || title;

  // Also a way to the help if the site does not allow this page to frame it.
  const link = element('a', { href: address(home), target: '_blank', rel: 'noopener' }, site);
  const closer = element('button', { type: 'button', className: 'close' }, drawing('m6 6 12 12M18 6 6 18'));
  closer.setAttribute('aria-label', close);
  const dialog = element('dialog', {}, element('header', {}, link, closer));
  dialog.setAttribute('aria-label', title);
  shadow.append(button, dialog);
  // A page may move, lay out or replace its body.
  document.documentElement.append(host);

  const frame = element('iframe', {
    title,
    // The name tells the pages where they are, also after the reader follows links.
    name: ['lectern-widget', ...(scheme === theme ? [theme] : [])].join(' '),
    src: address(search),
    referrerPolicy: 'no-referrer',
    allow: 'clipboard-write; fullscreen',
  });
  /** Whether a page of the site is in the frame. What browsers show before or instead would keep the Escape key. */
  let isReady = false;
  button.addEventListener('click', () => {
    if (!frame.isConnected) dialog.append(frame);
    dialog.showModal();
    if (isReady) frame.focus();
  });
  closer.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  // Safari does not focus a button that is clicked, so it would not return the focus to it.
  dialog.addEventListener('close', () => button.focus());
  addEventListener('message', ({ source, data }) => {
    if (source !== frame.contentWindow) return;
    if (data === 'lectern-close') dialog.close();
    if (data !== 'lectern-ready' || isReady) return;
    isReady = true;
    frame.focus();
  });
}

if (document.body) start();
else addEventListener('DOMContentLoaded', start);
