// Redirects to the first language that the browser prefers; a language chosen at an earlier visit takes precedence.

/** Language and script of a tag: `zh-TW` and `zh-Hant` have the same. */
function writingOf(tag) {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    // Not every tag that a browser may send is valid.
    return tag;
  }
}

addEventListener('DOMContentLoaded', () => {
  const links = [...document.querySelectorAll('.root-languages a')];
  let chosen = null;
  try {
    chosen = localStorage.getItem('language');
  } catch {
    // Storage may be disabled.
  }
  const wanted = [chosen, ...navigator.languages].filter(Boolean).map((tag) => tag.toLowerCase());
  for (const tag of wanted) {
    const link =
      links.find(({ hreflang }) => hreflang.toLowerCase() === tag) ??
      links.find(({ hreflang }) => writingOf(hreflang) === writingOf(tag)) ??
      links.find(({ hreflang }) => hreflang.toLowerCase().split('-')[0] === tag.split('-')[0]);
    if (link) {
      location.replace(link.href);
      return;
    }
  }
});
