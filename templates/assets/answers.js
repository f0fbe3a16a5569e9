// The answer above the results of a search: asked of `site.answers.url` when the reader wants it. The contract is in docs/answers.md.

/** Fewer words, or letters of a script without spaces, are a search and no question. */
const minWords = 3;
const minLetters = 8;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const isQuestion = (text) =>
  text.split(/\s+/).filter(Boolean).length >= minWords ||
  (unspaced.test(text) && text.length >= minLetters) ||
  /[?？؟]$/.test(text);

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** The events of a stream, each as JSON, until `[DONE]`. Throws if it ends before. */
async function* readEvents(body) {
  let rest = '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    rest += decoder.decode(part.value, { stream: true });
    const lines = rest.split(/\r?\n/);
    rest = lines.pop();
    for (const line of lines) {
      if (!line.startsWith('data:')) continue;
      const data = line.slice(5).trim();
      if (data === '[DONE]') return;
      yield JSON.parse(data);
    }
  }
  throw new Error('the stream ended early');
}

/** The URL of a citation; `null` unless it is a web page. */
function pageOf(url) {
  try {
    const { href, protocol } = new URL(url, location.href);
    return protocol === 'https:' || protocol === 'http:' ? href : null;
  } catch {
    return null;
  }
}

/** Text with each `[1]` as a link to its section; numbers without a citation are dropped. */
function withLinks(text, citations) {
  return text.split(/ ?\[(\d+)\]/).flatMap((part, at) => {
    if (at % 2 === 0) return [part];
    const citation = citations.get(Number(part));
    if (!citation) return [];
    return [' ', element('a', { href: citation.href, title: citation.label }, `[${part}]`)];
  });
}

/**
 * The first option of a list of results, which asks the question that is in the field, and the place where its answer comes.
 * @returns `row` for the list, hidden while the field has no question, and `box` to put above it
 */
export function offerAnswer(form) {
  const { answers, answerAsk, answerNotice, answerNone, answerFailed } = form.dataset;
  const input = form.elements.q;
  const asked = element('strong');
  const row = element('button', { type: 'button', className: 'ask' });
  row.innerHTML =
    '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 5h16v11H10l-4 4v-4H4zM9 10.5h6"/></svg>';
  row.append(element('span', {}, asked, element('span', { className: 'result-category' }, answerAsk)));
  row.id = `search-ask-${answers.length}-${document.querySelectorAll('.ask').length}`;
  row.setAttribute('role', 'option');
  row.setAttribute('aria-selected', 'false');
  const text = element('p');
  const sources = element('ol');
  const status = element('p', { className: 'search-status' });
  const box = element('section', { className: 'answer', hidden: true }, text, sources, status);
  box.setAttribute('aria-live', 'polite');
  let request = null;

  const clear = () => {
    request?.abort();
    request = null;
    for (const part of [text, sources, status]) part.replaceChildren();
    box.hidden = true;
    box.removeAttribute('aria-busy');
    const typed = input.value.trim();
    row.hidden = !isQuestion(typed);
    asked.textContent = typed;
  };

  const show = async (question, signal) => {
    const response = await fetch(answers, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify({
        messages: [{ role: 'user', content: question.slice(0, 1000) }],
        stream: true,
        language: document.documentElement.lang,
      }),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal,
    });
    if (!response.ok) throw new Error(response.statusText);
    const citations = new Map();
    let answer = '';
    let isRefused = false;
    for await (const { citations: list = [], choices = [], error } of readEvents(response.body)) {
      if (error) throw new Error(error.message);
      for (const { number, title, heading, url } of list) {
        const href = pageOf(url);
        if (href) citations.set(number, { href, label: [title, heading].filter(Boolean).join(' › ') });
      }
      const delta = choices[0]?.delta ?? {};
      isRefused ||= Boolean(delta.refusal);
      answer += delta.content ?? '';
      if (signal.aborted) return;
      text.replaceChildren(...withLinks(answer, citations));
    }
    if (isRefused || answer.trim() === '') {
      text.replaceChildren();
      status.textContent = answerNone;
      return;
    }
    const cited = [...citations].filter(([number]) => answer.includes(`[${number}]`));
    sources.replaceChildren(
      ...cited.map(([value, { href, label }]) => element('li', { value }, element('a', { href }, label))),
    );
    status.textContent = answerNotice;
  };

  row.addEventListener('click', async () => {
    clear();
    row.hidden = true;
    box.hidden = false;
    box.scrollIntoView({ block: 'nearest' });
    request = new AbortController();
    const { signal } = request;
    box.setAttribute('aria-busy', 'true');
    try {
      await show(input.value.trim(), signal);
    } catch {
      if (!signal.aborted) status.textContent = answerFailed;
    }
    if (!signal.aborted) box.removeAttribute('aria-busy');
  });
  input.addEventListener('input', clear);
  clear();
  return { row, box };
}
