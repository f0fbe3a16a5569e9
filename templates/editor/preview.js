import { previewText } from './api.js';
import { markInert } from './body-html.js';
import { button, make, openDialog } from './elements.js';

/**
 * Shows a text as the site publishes it: cleaned by the same program, in a frame in which nothing can run.
 * @param tag language of the text
 */
export async function showPreview({ title, body, tag }) {
  const { html, direction, problems } = await previewText(tag, body);
  const page = make('html', { lang: tag, dir: direction });
  const styles = ['tokens', 'base', 'article', 'code'].map((name) =>
    make('link', { rel: 'stylesheet', href: new URL(`theme/${name}.css`, document.baseURI).href }),
  );
  const look = make('link', { rel: 'stylesheet', href: new URL('editor.css', document.baseURI).href });
  page.append(
    make('head', {}, make('meta', { charset: 'utf-8' }), styles, look),
    make(
      'body',
      { className: 'previewed' },
      make('h1', {}, title),
      make('div', { className: 'prose', id: 'prose' }),
    ),
  );
  // The text is put into the serialised page, because it must not become nodes of this one.
  const [before, after] = page.outerHTML.split('id="prose">');
  const frame = make('iframe', { title: 'Preview of the article', className: 'preview-frame' });
  frame.setAttribute('sandbox', '');
  frame.srcdoc = markInert(`<!doctype html>${before}id="prose">${html}${after}`);

  await openDialog(
    'Preview',
    (close) => {
      const sizes = [
        ['Computer', ''],
        ['Phone', 'is-phone'],
      ].map(([label, name]) =>
        button(
          label,
          ({ currentTarget }) => {
            frame.className = `preview-frame ${name}`;
            for (const other of sizes) other.setAttribute('aria-pressed', String(other === currentTarget));
          },
          { 'aria-pressed': String(name === '') },
        ),
      );
      return [
        make(
          'div',
          { className: 'actions preview-tools' },
          make('span', { className: 'sizes', role: 'group', 'aria-label': 'Size of the preview' }, sizes),
          button('Close', () => close(null), { className: 'primary' }),
        ),
        problems.length === 0
          ? null
          : make(
              'details',
              { className: 'problems' },
              make(
                'summary',
                {},
                problems.length === 1 ? '1 note about this text' : `${problems.length} notes about this text`,
              ),
              make(
                'ul',
                {},
                problems.map(({ message, hint }) => make('li', {}, `${upper(message)}. ${hint}`)),
              ),
            ),
        frame,
      ].filter((part) => part !== null);
    },
    { className: 'is-large' },
  );
}

function upper(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
