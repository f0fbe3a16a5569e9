// Pages inside the frame of the widget (help-widget.js), which names its frame. Runs before the first paint.
const [frameName, frameTheme, lastSearch] = window.name.split(' ');
if (frameName === 'lectern-widget' && window.parent !== window) {
  const site = new URL('..', document.currentScript.src).href;
  document.documentElement.dataset.widget = '';
  if (frameTheme) document.documentElement.dataset.theme = frameTheme;
  // Neither this nor the message below says anything that any page may not know.
  window.parent.postMessage('lectern-ready', '*');

  // The name of the frame also keeps the last search: the frame of another site may have no storage.
  const rememberSearch = () => {
    if (document.body.classList.contains('page-search')) {
      window.name = `${frameName} ${frameTheme ?? ''} ${location.href}`;
    }
  };

  // Before the site's own listeners: the link leads back to the results instead of opening a dialog in the panel.
  addEventListener(
    'click',
    (event) => {
      const link = event.target.closest?.('a[href]');
      if (!link) return;
      rememberSearch();
      if (link.matches('.search-link')) {
        event.preventDefault();
        event.stopPropagation();
        const form = document.querySelector('template.search-box').content.querySelector('form');
        location.href = lastSearch ?? form.dataset.search;
      } else if (/^https?:$/.test(link.protocol) && !link.href.startsWith(site)) {
        // Few sites can be framed.
        link.target = '_blank';
        link.rel = 'noopener';
      }
    },
    true,
  );

  // Where a frame cannot show the answer, its page blocks the request, too, and a message would be lost.
  addEventListener(
    'submit',
    ({ target }) => {
      if (!target.action.startsWith(site)) target.target = '_blank';
    },
    true,
  );

  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    // An input method cancels what it composes; Safari sends this code.
    if (event.isComposing || event.keyCode === 229) return;
    // Otherwise, the browser empties the search field.
    event.preventDefault();
    window.parent.postMessage('lectern-close', '*');
  });
}
