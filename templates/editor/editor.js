import { key, readSession } from './api.js';
import { openArticle } from './article.js';
import { forgetDrafts, listDrafts } from './changes.js';
import { askChoice, button, field, make } from './elements.js';
import { showList } from './list.js';

const main = document.querySelector('#main');
const bar = document.querySelector('.top-bar');

/** What the key may do; `null` without a key. */
let session = null;
/** The article that is open, with its id (`null`: a new one). */
let current = null;

function showBar() {
  bar.replaceChildren(
    make('a', { className: 'brand', href: '#/' }, 'Help centre editor'),
    session === null
      ? ''
      : make(
          'span',
          { className: 'bar-end' },
          session.access === 'write' ? null : make('span', { className: 'badge is-draft' }, 'Read only'),
          button('Sign out', signOut),
        ),
  );
}

async function signOut() {
  const unsaved = current?.article.isDirty() || listDrafts().size > 0;
  if (unsaved) {
    const choice = await askChoice(
      'Sign out with unsaved changes?',
      'There are changes that were not saved. They can stay in this browser until you come back. On a computer that others use, delete them.',
      [
        ['Sign out, keep my changes here', 'keep'],
        ['Sign out and delete my changes', 'delete'],
        ['Stay', null],
      ],
    );
    if (choice === null) return;
    closeArticle();
    if (choice === 'delete') forgetDrafts();
  }
  closeArticle();
  key.forget();
  session = null;
  await route();
}

function closeArticle() {
  current?.article.close();
  current = null;
}

/** The form for the key. @param message why the last key was refused */
function showSignIn(message = '') {
  document.title = 'Sign in – Help centre editor';
  const input = make('input', { type: 'password', autocomplete: 'off', spellcheck: false, required: true });
  const wrong = make('p', { className: 'wrong', role: 'alert' }, message);
  const submit = make('button', { type: 'submit', className: 'primary' }, 'Sign in');
  const form = make(
    'form',
    {
      className: 'sign-in panel',
      noValidate: true,
      async onsubmit(event) {
        event.preventDefault();
        wrong.textContent = '';
        if (input.value.trim() === '') {
          wrong.textContent = 'Enter your key.';
          input.focus();
          return;
        }
        submit.disabled = true;
        key.write(input.value.trim());
        await route();
        submit.disabled = false;
      },
    },
    make('h1', {}, 'Write for your help centre'),
    make(
      'p',
      {},
      'Enter the key that you got from the person who runs the service. It is forgotten when you close this tab.',
    ),
    field('Key', input),
    wrong,
    submit,
  );
  main.replaceChildren(form);
  input.focus();
}

function showProblem(message) {
  main.replaceChildren(
    make(
      'div',
      { className: 'page' },
      make(
        'div',
        { className: 'empty', role: 'alert' },
        make('h1', {}, 'That did not work'),
        make('p', {}, message),
        button('Try again', () => route(), { className: 'primary' }),
        make('a', { href: '#/', className: 'button' }, 'All articles'),
      ),
    ),
  );
}

const keyFaults = new Set(['missing_key', 'invalid_key', 'expired_key', 'count_only_key']);
let routes = 0;

/** Shows what the address asks for. */
async function route() {
  routes += 1;
  const run = routes;
  try {
    if (key.read() === null) {
      session = null;
      showBar();
      showSignIn();
      return;
    }
    main.setAttribute('aria-busy', 'true');
    session ??= await readSession();
    if (run !== routes) return;
    showBar();
    const [, kind = '', ...rest] = location.hash.split('/').map(decodeURIComponent);
    const id = kind === 'article' ? rest[0] : null;
    const language = (kind === 'article' ? rest[1] : rest[0]) || session.defaultLanguage;
    if (kind === 'article' || (kind === 'new' && session.access === 'write')) {
      if (current === null || current.id !== id) {
        closeArticle();
        const article = await openArticle(id, {
          session,
          onCreated(created) {
            if (current?.article !== article) return;
            current.id = created;
            history.replaceState(null, '', location.hash.replace('#/new', `#/article/${created}`));
          },
        });
        if (run !== routes) return;
        current = { id, article };
      }
      current.article.show(main, language);
    } else {
      closeArticle();
      document.title = 'Articles – Help centre editor';
      await showList(main, { session });
    }
    if (routes > 1 && run === routes) main.focus({ preventScroll: true });
    scrollTo(0, 0);
  } catch (error) {
    if (run !== routes) return;
    if (keyFaults.has(error.code)) {
      key.forget();
      session = null;
      showBar();
      showSignIn(error.message);
    } else if (error.code !== undefined) {
      showProblem(error.message);
    } else {
      showProblem('The editor has a mistake. Reload the page; what you have written is kept.');
      throw error;
    }
  } finally {
    if (run === routes) main.removeAttribute('aria-busy');
  }
}

addEventListener('hashchange', route);
addEventListener('beforeunload', (event) => {
  if (current?.article.isDirty()) event.preventDefault();
});
route();
