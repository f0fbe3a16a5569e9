// The form that asks whether an article was helpful. Without this script, it opens the endpoint's own page.

/** The service stores no more. */
const maxTextChars = 500;

/** The thanks, and for readers whom the article did not help, a field for what they miss. */
function showThanks(form, canWrite) {
  const { thanks, ask, send } = form.dataset;
  const note = document.createElement('p');
  note.setAttribute('role', 'status');
  note.tabIndex = -1;
  note.textContent = thanks;
  const hidden = form.querySelectorAll('[type=hidden]');
  form.replaceChildren(...hidden, note);
  // Own templates may leave these texts out, and with them the field.
  if (canWrite && ask && send) {
    const field = document.createElement('textarea');
    Object.assign(field, { name: 'text', rows: 3, required: true, maxLength: maxTextChars });
    const label = document.createElement('label');
    label.append(ask, field);
    const button = document.createElement('button');
    button.textContent = send;
    form.append(label, button);
  }
  note.focus();
}

/** Says below the form that nothing was sent. The form keeps what the reader typed, so that the reader can send it again. */
function showFailure(form) {
  form.querySelector('.failed')?.remove();
  const note = document.createElement('p');
  note.className = 'failed';
  note.setAttribute('role', 'alert');
  note.textContent = form.dataset.failed;
  form.append(note);
}

/** Sends the form in the background, so that the reader stays on the page. */
export function enhanceFeedback(form) {
  let isSending = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    // The first press counts if the endpoint is slow.
    if (isSending) return;
    isSending = true;
    const { submitter } = event;
    const body = new URLSearchParams(new FormData(form, submitter));
    try {
      // Needs neither cookies nor a readable response, so any endpoint works.
      const answer = await fetch(form.action, { method: 'POST', body, mode: 'no-cors', credentials: 'omit' });
      if (answer.type !== 'opaque' && !answer.ok) throw new Error(answer.statusText);
    } catch {
      showFailure(form);
      return;
    } finally {
      isSending = false;
    }
    showThanks(form, body.get('helpful') === 'no');
  });
}
