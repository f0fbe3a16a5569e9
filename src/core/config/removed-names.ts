import { docsPage } from '../docs-page.ts';

const sign = `sign feed/manifest.json with minisign; ${docsPage('recipes.md')} shows how`;
const checkSignature = `check feed/manifest.json with minisign; ${docsPage('recipes.md')} shows how`;

/** Fields of articles and categories that were flags of `lectern kb`. */
const formerFieldFlags = [
  'title',
  'slug',
  'description',
  'short-version',
  'body',
  'tags',
  'category-id',
  'parent-category-id',
  'icon',
  'is-published',
  'is-private',
  'is-featured',
  'show-toc',
  'sort-order',
  'permission-groups',
  'publish-at',
  'unpublish-at',
  'article-id',
  'created-at',
  'updated-at',
];

/**
 * What earlier versions had, and what to do instead: one sentence each, for the hint of an error. The table may go with version 1.0.
 * Commands are written with the words before them (`feed ask`), flags without dashes (`kb title` if only commands of `lectern kb` had it), settings with their section (`feed.x`).
 */
const removed: Readonly<Record<'command' | 'flag' | 'setting', Readonly<Record<string, string>>>> = {
  command: {
    'feed ask': 'ask lectern mcp the questions, or measure a change of Lectern with npm run bench:retrieval',
    'feed diff': 'run lectern diff OLD NEW',
    'feed keygen': sign,
    'feed notify':
      'call your webhook from the job after the upload, e.g. curl -fsS -X POST https://bot.example.com/hooks/help',
    merge: 'run lectern build once: one machine builds the largest help centres in seconds',
  },
  flag: {
    ...Object.fromEntries(
      formerFieldFlags.map((name) => [
        `kb ${name}`,
        `pass --set ${name.replaceAll('-', '_')}=VALUE, or --input with a JSON file of fields`,
      ]),
    ),
    dimensions: 'edit the size of the vector in collection.json, and create the collection with it',
    'kb language-code':
      'pass --input with a JSON file such as {"multilingual": [{"language_code": "de", "title": "Hallo"}]}',
    'gitlab-report': 'pass --report FILE: its JSON has code, place and hint of every problem',
    'junit-report': 'pass --report FILE: its JSON has code, place and hint of every problem',
    editor: 'write in Markdown and run lectern push, or use any client of the API',
    'mcp allow-mass-delete': 'start lectern mcp again: it takes over what is published',
    'public-key': checkSignature,
    site: checkSignature,
    shard: 'run lectern build without it: one machine builds the largest help centres in seconds',
    shards: 'run lectern init without it: the job builds on one machine',
    from: 'run lectern pull DIR --source SOURCE, and then lectern push DIR',
    to: 'run lectern pull DIR --source SOURCE, and then lectern push DIR --base-url URL',
    'answers-model': 'run lectern mcp FEED --port 3333 --answers-model URL: it answers beside the service',
    'answers-feed': 'run lectern mcp FEED --port 3333 --answers-model URL: it answers beside the service',
    'init accent': 'write site.theme.accent into the configuration',
    'init logo': 'put the file into public/, and write site.logo into the configuration',
    previous: 'pass --since to continue a published feed',
    'changed-files': 'pass --report FILE: its JSON has changedFiles, the added, changed and removed files',
    'max-body-bytes': 'run lectern serve without it: a request may have 10 MB',
    'kb fields': 'run it with --json, and select fields, e.g. with jq',
    'kb include-body': 'run lectern kb article get ID, which prints the body',
    'kb permission-group-id': 'run lectern kb article list --json, and select by permission_groups',
    'kb etag': 'run lectern pull and lectern push, which notice what others changed',
    'kb if-match': 'run lectern pull and lectern push, which notice what others changed',
    'kb skip': 'run it without --skip: without --limit, the list is whole',
    'kb updated-at-before': 'run lectern kb article list --json, and select by updated_at',
    'kb text':
      'select the texts of the JSON, e.g. with jq -r .articles[].text; a build writes feed/LANGUAGE/source.txt',
    'service expires': 'withdraw the key with lectern service keys revoke ID when it is not used any more',
    'service force':
      'pass the path of a new file, or move the old one away first, together with its -wal and -shm',
    'templates config': 'run it in the folder of your project, which has the folder templates',
    prefix:
      'remove it: only exports for Bedrock and Vertex had it; lectern export --to jsonl writes the passages for any platform',
  },
  setting: {
    'feed.signatureHours': sign,
    output:
      'put files to keep into the folder public; web servers compress what they send; the job can call a webhook after the upload',
    'site.assistants':
      'write the links into templates/hooks/article-after.eta, where it.article.markdown is the URL of the Markdown',
    'site.publisher':
      'remove it: search engines get site.title, the URL of the site and the logo as the publisher',
    'site.dates': 'write time { display: none } into templates/assets/custom.css',
    'site.socialImages': 'site.ogImage is one picture for all pages',
    'site.publicFirst': 'remove it: robots.txt, 404.html and index.html in public/ are always published',
    'site.theme.accentDark': 'write "accent": { "light": "…", "dark": "…" }',
    'site.logoDark': 'write "logo": { "light": "…", "dark": "…" }',
    'site.contactForm': 'write "contact": { "form": "https://…" }',
    'redirects.oldAddresses': 'write "movedFrom": [] to redirect no URLs of an old help centre',
    'source.copiedFrom': 'write "redirects": { "movedFrom": ["zendesk"] }',
    'source.static':
      'remove it: a link or image that starts with / is looked for in the folder, and in the folders directly inside it',
    'source.fullReadHours':
      'remove it: all texts are read again after 24 hours, or when you delete the folder .lectern',
    'site.theme.font': 'write :root { --font: Inter, sans-serif } into templates/assets/custom.css',
    'site.theme.hero': 'write .hero { background: … } into templates/assets/custom.css',
    'site.theme.radius': 'write :root { --radius: 8px } into templates/assets/custom.css',
    'urls.defaultArticle': 'urls.article is the pattern of every language',
    'urls.defaultCategory': 'urls.category is the pattern of every language',
    'source.maxDropPercent':
      'remove it: a build that would lose many articles names them and stops; pass --allow-mass-delete once',
    'source.headersTimeoutMs': 'remove it: a server may take a minute to answer',
    'source.bodyTimeoutMs': 'remove it: a server may pause for half a minute',
    'source.maxAnswerBytes':
      'remove it: an answer may have 1 GiB, and "listing": "paged" reads a list in smaller ones',
    'source.maxArticles': 'remove it: a list may have a million articles',
    'source.maxAttempts': 'remove it: a request is tried five times',
    'source.pageSize': 'remove it: a page has 100 articles',
    'source.fullReadBytes':
      'remove it: a help centre with less than 16 MiB of text is always read completely',
    'media.maxFiles': 'remove it: up to 100,000 files are copied',
    'media.concurrency': 'remove it: eight files are requested at the same time',
    'media.maxFileBytes': 'remove it: a copied file may have 25 MB',
    'site.templates': 'name the folder templates, and run lectern beside it',
    'source.concurrency':
      'remove it: eight requests run at the same time, and fewer if the server answers 429',
    'media.timeoutMs': 'remove it: each step of a download may take 20 seconds',
    'feed.chunks': 'remove it: a chunk has at most 800 tokens, and usually fewer than 512',
    'feed.llmsChars': 'remove it: an llms.txt has at most 50,000 characters',
    'feed.llmsFullChars': 'remove it: an llms-full.txt has all articles',
    'feed.maxFileMb': 'remove it: a language has one file of records',
    'feed.keepRuns': 'remove it: the changes of the last 30 runs are published',
  },
};

/** The sentence that says what to do instead of something that earlier versions had; `null` if they never had it. */
export function successorOf(kind: keyof typeof removed, name: string): string | null {
  return Object.hasOwn(removed[kind], name) ? (removed[kind][name] ?? null) : null;
}
