// The form of the contact page.

/**
 * The subject of a message is also a search, so that readers find an article before they send it. Nothing is loaded before they type. What
 * they write is not counted as a search, and not sent to the endpoint of answers.
 * @param startSearch loads the search for a form and an element for results
 */
export function offerArticles(form, startSearch) {
  const { subject } = form.elements;
  const { index, script, search, failed, label } =
    document.querySelector('template.search-box').content.firstElementChild.dataset;
  const field = {
    elements: { q: subject },
    dataset: { index, script, search, failed, label },
    limit: 3,
    closest: () => null,
    contains: (node) => subject === node,
    addEventListener: (type, listener) => subject.addEventListener(type, listener),
  };
  // On a slow connection, a reader types before this script runs.
  const isTyped = document.activeElement === subject && subject.value !== '';
  // The search leads here with the question that it found no article for; a reader may come back from an article that is offered here.
  subject.value ||= history.state?.query ?? new URLSearchParams(location.search).get('subject') ?? '';
  const start = () => startSearch(field, form.querySelector('.search-output'));
  if (isTyped) start();
  else subject.addEventListener('input', start, { once: true });
}
