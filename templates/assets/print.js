// Prints a category with the texts of all its articles, also of its subcategories. They are fetched when a reader asks for them, and put into the
// page, where only the printer shows them: no second form of the site has to be published.

/** Number of pages that are loaded at the same time. */
const together = 6;

async function load(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${answer.status} ${url}`);
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/** Links to the articles of a category page in their order, then to those of its subcategories; without those in other languages. */
async function findArticles(page) {
  const own = [
    ...page.querySelectorAll('.listing > section:not(.subcategory) .article-list a:not([hreflang])'),
  ];
  const topics = page.querySelectorAll('.subcategory > h2 a');
  const pages = await Promise.all([...topics].map(async ({ href }) => findArticles(await load(href))));
  return [...new Map([...own, ...pages.flat()].map((link) => [link.href, link])).values()];
}

/** The title and the text of an article; only its link if it cannot be loaded. */
async function readArticle({ href, textContent }) {
  const article = document.createElement('article');
  const title = document.createElement('h1');
  title.textContent = textContent;
  article.append(title);
  try {
    article.append((await load(href)).querySelector('.prose'));
  } catch {
    article.append(href);
  }
  for (const image of article.querySelectorAll('img')) image.loading = 'eager';
  return article;
}

/** Adds all articles to the page, prints it, and removes them again. */
export async function printAll(button) {
  // The button was pressed again while this script was loading.
  if (button.disabled) return;
  button.disabled = true;
  const book = document.createElement('div');
  book.className = 'print-book';
  book.hidden = true;
  try {
    const links = await findArticles(document);
    for (let at = 0; at < links.length; at += together)
      book.append(...(await Promise.all(links.slice(at, at + together).map(readArticle))));
  } finally {
    button.disabled = false;
  }
  document.querySelector('.listing').append(book);
  await Promise.allSettled([...book.querySelectorAll('img')].map((image) => image.decode()));
  addEventListener('afterprint', () => book.remove(), { once: true });
  print();
}
