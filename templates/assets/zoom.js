/** Shows an image in the size of the window; a click, Escape or the button closes it. */
export function zoom({ currentSrc, src, alt }, { enlarge, close }) {
  // The button was pressed again while this script was loading.
  if (document.querySelector('.zoom-dialog')) return;
  const dialog = document.createElement('dialog');
  dialog.className = 'zoom-dialog';
  dialog.setAttribute('aria-label', alt || enlarge);
  const button = document.createElement('button');
  button.type = 'button';
  button.setAttribute('aria-label', close);
  button.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="m6 6 12 12M18 6 6 18"/></svg>';
  const image = new Image();
  Object.assign(image, { src: currentSrc || src, alt });
  dialog.append(image, button);
  dialog.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
