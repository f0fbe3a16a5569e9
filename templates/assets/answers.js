// The answer above the results of a search: asked of `site.answers.url` when the reader wants it. The contract is in docs/answers.md.

const minChars = 3;

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

/** Puts a button above the results of a form, which asks for an answer and shows it as it comes. */
export function offerAnswer(form, output) {
  const { answers, answerAsk, answerNotice, answerNone, answerFailed } = form.dataset;
  const input = form.elements.q;
  const button = element(
    'button',
    { type: 'button', className: 'search-suggestion', hidden: true },
    answerAsk,
  );
  const text = element('p');
  const sources = element('ol');
  const status = element('p', { className: 'search-status' });
  const box = element('section', { className: 'search-rest' }, button, text, sources, status);
  box.setAttribute('aria-live', 'polite');
  output.prepend(box);
  let request = null;

  const clear = () => {
    request?.abort();
    request = null;
    for (const part of [text, sources, status]) part.replaceChildren();
    button.hidden = input.value.trim().length < minChars;
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

  button.addEventListener('click', async () => {
    clear();
    button.hidden = true;
    request = new AbortController();
    const { signal } = request;
    box.setAttribute('aria-busy', 'true');
    status.textContent = '…';
    try {
      await show(input.value.trim(), signal);
    } catch {
      if (!signal.aborted) status.textContent = answerFailed;
    }
    if (!signal.aborted) box.removeAttribute('aria-busy');
  });
  input.addEventListener('input', clear);
  clear();
}
