import { join } from 'node:path';

const origin = 'https://help.pebblepost.example';
const languageNames = { en: 'English', de: 'Deutsch', ja: '日本語', ar: 'العربية' };

/** The corpus as an Eleventy site with the same pages as the Hugo site, and similar page chrome. */
export default function configure(eleventy) {
  eleventy.addLayoutAlias('article', 'article.liquid');
  eleventy.addLayoutAlias('category', 'category.liquid');
  eleventy.addGlobalData('origin', origin);
  eleventy.addGlobalData('languageNames', languageNames);
  // HTML without templates.
  eleventy.addExtension('html', {
    outputFileExtension: 'html',
    compile: (text) => () => text,
  });
  eleventy.addGlobalData('permalink', () => (data) => {
    const folder = data.page.filePathStem.replace(/\/[^/]*$/, '');
    return data.slug ? `${folder}/${data.slug}/index.html` : `${folder}/index.html`;
  });
  eleventy.addCollection('byKey', (api) => {
    const byKey = {};
    for (const item of api.getAll()) {
      byKey[item.data.key] ??= [];
      byKey[item.data.key].push(item);
    }
    return byKey;
  });
  eleventy.addCollection('byFolder', (api) => {
    const byFolder = {};
    for (const item of api.getAll()) {
      const folder = parentFolder(item.url);
      byFolder[folder] ??= [];
      byFolder[folder].push(item);
    }
    return byFolder;
  });
  eleventy.addCollection('byUrl', (api) => Object.fromEntries(api.getAll().map((item) => [item.url, item])));
  eleventy.addFilter('ancestors', (url, byUrl) => {
    const found = [];
    for (let folder = parentFolder(url); folder !== '/'; folder = parentFolder(folder)) {
      if (byUrl[folder]) found.unshift(byUrl[folder]);
    }
    return found;
  });
  eleventy.addFilter('headings', (html) =>
    [...html.matchAll(/<h[23] id="([^"]*)">(.*?)<\/h[23]>/g)].map(([, id, text]) => ({ id, text })),
  );
  const root = process.env.CORPUS_LAYOUTS;
  return { dir: { input: 'content', includes: join('..', root) }, htmlTemplateEngine: false };
}

function parentFolder(url) {
  return url.replace(/[^/]*\/$/, '');
}
