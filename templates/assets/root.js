// Redirects to the first language that the browser prefers; a language chosen at an earlier visit takes precedence.
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
      links.find(({ hreflang }) => hreflang.toLowerCase().split('-')[0] === tag.split('-')[0]);
    if (link) {
      location.replace(link.href);
      return;
    }
  }
});
