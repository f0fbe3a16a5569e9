import { listCategories, readArticle, saveArticle } from './api.js';
import { createBodyField } from './body-field.js';
import { showHtml } from './body-html.js';
import { createChanges, requestOf } from './changes.js';
import { askConflict } from './conflict.js';
import {
  announce,
  askChoice,
  askForm,
  button,
  directionOf,
  field,
  make,
  nameLanguage,
  showTime,
} from './elements.js';
import { categoryOptions, statusOf, statusOfArticle } from './list.js';
import { showPreview } from './preview.js';

/** Largest body in one language, in characters, as in the service. */
const mostCharacters = 2_000_000;

/** Languages that are offered; others can be typed. */
const offered =
  'ar bg bn ca cs da de el en es fa fi fr he hi hr hu id it ja ko lt ms nb nl pl pt-BR pt-PT ro ru sk sl sr sv sw ta th tr uk ur vi zh-CN zh-TW'.split(
    ' ',
  );

const emptyRecord = {
  article_id: null,
  title: '',
  description: null,
  body: '',
  slug: '',
  tags: [],
  category_id: null,
  is_published: false,
  is_private: false,
  permission_groups: null,
  publish_at: null,
  unpublish_at: null,
  multilingual: [],
};

/** Time as a field of date and time shows it, in the zone of the browser; `''` without one. */
function toLocal(moment) {
  if (!moment) return '';
  const date = new Date(moment);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const fromLocal = (text) => (text === '' ? null : new Date(text).toISOString());

/**
 * Opens an article to write. What is not saved stays in this browser.
 * @param id `null` for a new article
 * @returns `show(main, language)`, and whether there are unsaved changes
 */
export async function openArticle(id, { session, onCreated }) {
  const [read, categories] = await Promise.all([
    id === null ? { record: emptyRecord, tag: null } : readArticle(id),
    listCategories(),
  ]);
  let { record, tag } = read;
  const changes = createChanges(id);
  const isReadOnly = session.access !== 'write';
  const { defaultLanguage } = session;
  const draft = isReadOnly ? null : changes.readDraft();
  if (draft !== null) {
    const isWanted = await askChoice(
      'You have unsaved changes',
      `You changed this article on ${showTime(draft.at)} in this browser and did not save. Do you want to continue with these changes?`,
      [
        ['Continue with my changes', true],
        ['Discard them', false],
      ],
    );
    // Escape is no decision to discard.
    if (isWanted === false) changes.clear();
    else draft.restore();
  }

  const nameCategory = (wanted) =>
    categories.find(({ category_id: one }) => one === wanted)?.title ?? 'Without a category';
  let isSaving = false;
  let view = null;

  /** One language of the article: where its values are. */
  function placesOf(language) {
    const isOwn = language === defaultLanguage;
    const at = (name) => (isOwn ? name : `${language}/${name}`);
    return {
      isOwn,
      at,
      get: (name) => changes.value(record, at(name)),
      set: (name, value) => change(at(name), value),
      isLive: () => {
        const value = changes.value(record, at(isOwn ? 'is_published' : 'is_live'));
        // A translation is public unless it says otherwise, and one that does not exist yet is none.
        return isOwn ? value === true : exists(language) && value !== false;
      },
    };
  }

  const tagsOf = () => {
    const tags = record.multilingual.map(({ language_code: one }) => one);
    const added = changes
      .places()
      .filter((place) => place.includes('/'))
      .map((place) => place.split('/')[0]);
    return [...new Set([...tags, ...added])];
  };
  const exists = (language) => tagsOf().some((one) => one.toLowerCase() === language.toLowerCase());
  const isStored = (language) =>
    record.multilingual.some(({ language_code: one }) => one.toLowerCase() === language.toLowerCase());

  function change(place, value) {
    if (!changes.set(record, place, value)) {
      announce('This browser has no room to keep your changes. Save soon.');
    }
    view?.refresh();
  }

  /** Sends what changed. Returns `'saved'`, `'joined'` (with changes of somebody else), or `null` if it was not saved. */
  async function save() {
    if (isSaving) return null;
    if (changes.size === 0) return 'saved';
    const title = String(changes.value(record, 'title') ?? '').trim();
    if (title === '') {
      view?.complain('title', `Write a title in ${nameLanguage(defaultLanguage)} first.`);
      return null;
    }
    isSaving = true;
    view?.refresh();
    try {
      const entries = changes.entries();
      for (const [place, { mine }] of entries) {
        if (place.endsWith('body') && String(mine).length > mostCharacters) {
          view?.complain(
            'body',
            'The text is too long. One language has room for 2 MB: use fewer or smaller images.',
          );
          return null;
        }
      }
      const saved = await saveArticle(record.article_id, requestOf(entries), tag);
      const wasNew = record.article_id === null;
      ({ record, tag } = saved);
      changes.settle(entries);
      view?.complain(null, '');
      if (wasNew) onCreated(record.article_id);
      return 'saved';
    } catch (error) {
      if (error.code === 'precondition_failed') return await resolveConflict();
      view?.complain(null, error.message);
      return null;
    } finally {
      isSaving = false;
      view?.refresh();
    }
  }

  async function resolveConflict() {
    const theirs = await readArticle(record.article_id);
    const places = changes.conflicts(theirs.record);
    if (places.length > 0) {
      const taken = await askConflict({
        places,
        changes: changes.entries(),
        theirs: theirs.record,
        defaultLanguage,
        nameCategory,
      });
      if (taken === null) {
        view?.complain(null, 'Not saved: somebody else changed the same parts. Save again to choose.');
        return null;
      }
      for (const place of taken) changes.forget(place);
    }
    ({ record, tag } = theirs);
    changes.rebase(record);
    view?.reload();
    isSaving = false;
    return (await save()) === null ? null : 'joined';
  }

  function show(main, language) {
    view?.close();
    view = createView(main, language);
  }

  function createView(main, language) {
    const places = placesOf(language);
    const direction = directionOf(language);
    const readOnly = isReadOnly;
    const textOptions = { lang: language, dir: direction, readOnly };
    const title = make('textarea', {
      className: 'title-input',
      rows: 1,
      maxLength: 1000,
      ...textOptions,
      'aria-label': 'Title',
      placeholder: 'Title',
    });
    const summary = make('textarea', { rows: 2, ...textOptions });
    const wrong = make('p', { className: 'wrong', role: 'alert' });
    const bodyField = createBodyField({
      label: `Text in ${nameLanguage(language)}`,
      onInput: () => {
        clearTimeout(writing);
        writing = setTimeout(takeBody, 400);
        const wasTouched = isTouched;
        isTouched = true;
        if (!wasTouched) refresh();
      },
    });
    let writing = 0;
    let isTouched = false;

    function takeBody() {
      clearTimeout(writing);
      if (!isTouched) return;
      if (bodyField.isChanged()) places.set('body', bodyField.read());
      isTouched = false;
      refresh();
    }

    const fitTitle = () => {
      title.style.blockSize = 'auto';
      title.style.blockSize = `${title.scrollHeight}px`;
    };
    title.addEventListener('input', () => {
      title.value = title.value.replaceAll('\n', ' ');
      fitTitle();
      places.set('title', title.value);
    });
    title.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      bodyField.surface.focus();
    });
    summary.addEventListener('input', () => places.set('description', summary.value || null));

    const publishAt = make('input', { type: 'datetime-local', disabled: readOnly });
    const unpublishAt = make('input', { type: 'datetime-local', disabled: readOnly });
    for (const [control, name] of [
      [publishAt, 'publish_at'],
      [unpublishAt, 'unpublish_at'],
    ])
      control.addEventListener('change', () => places.set(name, fromLocal(control.value)));
    const category = make(
      'select',
      { disabled: readOnly },
      make('option', { value: '' }, 'Without a category'),
      categoryOptions(categories),
    );
    category.addEventListener('change', () => change('category_id', category.value || null));
    const tags = make('input', { type: 'text', readOnly });
    tags.addEventListener('change', () =>
      change('tags', [
        ...new Set(
          tags.value
            .split(',')
            .map((one) => one.trim())
            .filter(Boolean),
        ),
      ]),
    );
    const isPrivate = make('input', { type: 'checkbox', disabled: readOnly });
    isPrivate.addEventListener('change', () => change('is_private', isPrivate.checked));

    const state = make('p', { className: 'state' });
    const saveState = make('span', { className: 'save-state' });
    const saveButton = button('Save', () => act(null));
    const publishButton = button('Publish', () => act(true), { className: 'primary' });
    const unpublishButton = button('Unpublish', () => act(false));
    const discardButton = button('Discard changes', discard, { className: 'quiet' });
    const previewButton = button('Preview', async () => {
      takeBody();
      try {
        await showPreview({
          title: places.get('title') || 'Without a title',
          body: places.get('body') ?? '',
          tag: language,
        });
      } catch (error) {
        complain(null, error.message);
      }
    });

    /** Saves; `isPublic` also publishes or unpublishes this language. */
    async function act(isPublic) {
      takeBody();
      const flag = places.at(places.isOwn ? 'is_published' : 'is_live');
      const before = changes.value(record, flag);
      const isNewTranslation = !places.isOwn && !isStored(language);
      if (isPublic === true) {
        const missing = ['title', 'body'].find((name) => String(places.get(name) ?? '').trim() === '');
        if (missing !== undefined) {
          complain(
            missing,
            missing === 'title' ? 'Write a title before you publish.' : 'Write a text before you publish.',
          );
          return;
        }
        if (places.isOwn && isPrivate.checked) {
          complain(null, 'A private article is not on the site. Remove the tick at “Private” to publish it.');
          return;
        }
      }
      if (isPublic !== null) change(flag, isPublic);
      // A translation that is saved for the first time is a draft until it is published.
      else if (isNewTranslation && exists(language)) change(flag, false);
      if (changes.size === 0) {
        announce('Everything is saved.');
        return;
      }
      const outcome = await save();
      if (outcome === null) {
        if (isPublic !== null) change(flag, before);
        return;
      }
      const joined = outcome === 'joined' ? ' The changes that somebody else made meanwhile are in it.' : '';
      announce(describeSaved(isPublic) + joined);
    }

    function describeSaved(isPublic) {
      const { kind } = statusNow();
      if (isPublic === false) return 'Unpublished. It leaves the site when the site is next built.';
      if (kind === 'scheduled') return `Scheduled for ${showTime(places.get('publish_at'))}.`;
      if (isPublic === true) return 'Published. Readers see it when the site is next built.';
      return 'Saved.';
    }

    function statusNow() {
      return statusOf({
        isPublished: places.isLive(),
        isPrivate:
          places.isOwn &&
          (changes.value(record, 'is_private') || (record.permission_groups ?? []).length > 0),
        publishAt: places.get('publish_at'),
        unpublishAt: places.get('unpublish_at'),
      });
    }

    async function discard() {
      const isSure = await askChoice(
        'Discard your changes?',
        'The article becomes as it was last saved. This cannot be undone.',
        [
          ['Discard', true],
          ['Keep', false],
        ],
      );
      if (isSure !== true) return;
      isTouched = false;
      changes.clear();
      fill();
      announce('Your changes were discarded.');
    }

    function complain(where, text) {
      wrong.textContent = text;
      title.setAttribute('aria-invalid', String(where === 'title'));
      if (where === 'title') title.focus();
      else if (where === 'body') bodyField.surface.focus();
    }

    function refresh() {
      const { kind, word, text } = statusNow();
      const isWaiting =
        !places.isOwn &&
        statusOfArticle({ ...record, is_published: changes.value(record, 'is_published') }).kind !== 'public';
      state.replaceChildren(
        make('span', { className: `badge is-${kind}` }, word),
        ` ${text}`,
        isWaiting && kind !== 'draft' ? ` Readers see it when the article itself is published.` : '',
      );
      const isDirty = changes.size > 0 || isTouched;
      saveState.textContent = isSaving
        ? 'Saving …'
        : isDirty
          ? 'Not saved'
          : record.article_id === null
            ? ''
            : 'Saved';
      saveState.classList.toggle('is-dirty', isDirty);
      discardButton.hidden = !isDirty;
      const isLive = places.isLive() && (places.isOwn || isStored(language));
      const isLater = (places.get('publish_at') ?? '') > new Date().toISOString();
      publishButton.hidden = isLive;
      publishButton.textContent = isLater ? 'Schedule' : 'Publish';
      unpublishButton.hidden = !isLive;
      saveButton.textContent = isLive ? 'Save changes' : 'Save draft';
      saveButton.classList.toggle('primary', isLive);
      for (const one of [saveButton, publishButton, unpublishButton]) one.disabled = isSaving;
      languages.replaceChildren(...listLanguages());
      document.title = `${isDirty ? '• ' : ''}${places.get('title') || 'New article'} – Help centre editor`;
    }

    function fill() {
      title.value = places.get('title') ?? '';
      summary.value = places.get('description') ?? '';
      publishAt.value = toLocal(places.get('publish_at'));
      unpublishAt.value = toLocal(places.get('unpublish_at'));
      category.value = changes.value(record, 'category_id') ?? '';
      tags.value = (changes.value(record, 'tags') ?? []).join(', ');
      isPrivate.checked = changes.value(record, 'is_private') === true;
      bodyField.open(places.get('body') ?? '', { language, direction, readOnly });
      fitTitle();
      refresh();
    }

    const href = (one) =>
      record.article_id === null ? `#/new/${one}` : `#/article/${record.article_id}/${one}`;
    const languages = make('nav', { className: 'languages-bar', 'aria-label': 'Languages of this article' });
    function listLanguages() {
      const shown = [...new Set([defaultLanguage, ...tagsOf(), language])];
      return [
        ...shown.map((one) =>
          make(
            'a',
            { href: href(one), className: 'language', 'aria-current': one === language ? 'page' : undefined },
            nameLanguage(one),
            one === defaultLanguage ? make('span', { className: 'note' }, ' (original)') : null,
            changes
              .places()
              .some((place) => (one === defaultLanguage ? !place.includes('/') : place.startsWith(`${one}/`)))
              ? make(
                  'span',
                  { className: 'dot', title: 'Not saved' },
                  make('span', { className: 'visually-hidden' }, ', not saved'),
                )
              : null,
          ),
        ),
        readOnly ? '' : button('Add a language', addLanguage, { className: 'quiet' }),
      ].filter((part) => part !== '');
    }

    async function addLanguage() {
      const known = new Set([defaultLanguage, ...tagsOf()].map((one) => one.toLowerCase()));
      const list = offered.filter((one) => !known.has(one.toLowerCase()));
      const choice = make(
        'select',
        {},
        list
          .map((one) => [one, nameLanguage(one)])
          .sort(([, one], [, other]) => one.localeCompare(other))
          .map(([value, text]) => make('option', { value }, text)),
      );
      const other = make('input', { type: 'text', autocapitalize: 'off', spellcheck: false });
      const answer = await askForm(
        'Translate into another language',
        [field('Language', choice), field('Or its code', other, 'For example “pt-BR” or “eo”.')],
        'Translate',
        () => {
          const typed = other.value.trim() || choice.value;
          if (!/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/.test(typed))
            return 'A code is written like de or pt-BR.';
          return known.has(typed.toLowerCase()) ? 'The article already has this language.' : { typed };
        },
      );
      if (answer !== null) location.hash = href(answer.typed);
    }

    const original = places.isOwn
      ? null
      : make(
          'details',
          { className: 'original panel', open: true },
          make('summary', {}, `Original (${nameLanguage(defaultLanguage)})`),
          make(
            'div',
            {
              className: 'original-text prose',
              lang: defaultLanguage,
              dir: directionOf(defaultLanguage),
              tabIndex: 0,
              role: 'region',
              'aria-label': 'Original text',
            },
            make('p', { className: 'original-title' }, changes.value(record, 'title') || '(no title yet)'),
            make('p', { className: 'hint' }, changes.value(record, 'description') ?? ''),
            make('div', {}, showHtml(changes.value(record, 'body'))),
          ),
        );

    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const groups = record.permission_groups ?? [];
    const side = make(
      'aside',
      { className: 'side', 'aria-label': 'Publication' },
      original,
      make(
        'section',
        { className: 'panel' },
        make('h2', {}, 'Publication'),
        state,
        field('Publish at', publishAt),
        field('Unpublish at', unpublishAt, `In your time zone (${zone}). Empty: no limit.`),
        groups.length === 0
          ? null
          : make(
              'p',
              { className: 'hint' },
              `Only for the groups ${groups.join(', ')}: not on the public site.`,
            ),
        places.isOwn ? make('label', { className: 'check' }, isPrivate, ' Private: not on the site') : null,
      ),
      places.isOwn
        ? make(
            'section',
            { className: 'panel' },
            make('h2', {}, 'Where readers find it'),
            field('Category', category),
            field('Tags', tags, 'Separate them with commas.'),
          )
        : null,
    );

    main.replaceChildren(
      make(
        'div',
        { className: 'page article-page' },
        make(
          'div',
          { className: 'page-head' },
          make(
            'a',
            { href: '#/', className: 'back' },
            make('span', { 'aria-hidden': 'true' }, '←'),
            'All articles',
          ),
          saveState,
        ),
        make(
          'h1',
          { className: 'visually-hidden' },
          id === null ? 'New article' : `Article in ${nameLanguage(language)}`,
        ),
        languages,
        readOnly
          ? make(
              'p',
              { className: 'notice' },
              'Your key may only read. You can look at everything, but not save.',
            )
          : null,
        wrong,
        make(
          'div',
          { className: 'columns' },
          make(
            'div',
            { className: 'text-column' },
            title,
            field('Summary', summary, 'One or two sentences for lists and search engines.'),
            bodyField.element,
          ),
          side,
        ),
        make(
          'div',
          { className: 'action-bar', role: 'group', 'aria-label': 'Actions' },
          readOnly ? null : [publishButton, saveButton],
          previewButton,
          readOnly ? null : [unpublishButton, discardButton],
        ),
      ),
    );
    fill();

    const onKey = (event) => {
      if (
        event.key.toLowerCase() !== 's' ||
        !(event.ctrlKey || event.metaKey) ||
        document.querySelector('dialog[open]')
      )
        return;
      event.preventDefault();
      if (!readOnly) act(null);
    };
    addEventListener('keydown', onKey);
    addEventListener('resize', fitTitle);
    return {
      refresh,
      complain,
      reload: fill,
      takeBody,
      close() {
        takeBody();
        clearTimeout(writing);
        removeEventListener('keydown', onKey);
        removeEventListener('resize', fitTitle);
        bodyField.close();
      },
    };
  }

  return {
    show,
    /** Whether something is not saved; what was typed last is kept first. */
    isDirty() {
      view?.takeBody();
      return changes.size > 0;
    },
    close() {
      view?.close();
      view = null;
    },
  };
}
