// Takes the reader to the first language the browser asks for; the chosen one of an earlier visit goes before.
addEventListener('DOMContentLoaded', () => {
  const links = [...document.querySelectorAll('.root-languages a')];
  let chosen = null;
  try {
    chosen = localStorage.getItem('language');
  } catch {
    // Storage may be forbidden.
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
