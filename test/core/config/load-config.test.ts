import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseSource } from '../../../src/core/config/find-source.ts';
import { type ConfigInput, loadConfig } from '../../../src/core/config/load-config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

const input = (changes: Partial<ConfigInput> = {}): ConfigInput => ({
  file: undefined,
  environment: {},
  flags: {},
  folder,
  ...changes,
});
const load = async (changes: Partial<ConfigInput> = {}) => (await loadConfig(input(changes))).config;

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const writeConfig = (text: string) => write('lectern.config.json', text);

describe('loadConfig', () => {
  it('fills in every default when nothing is configured', async () => {
    expect(await load()).toMatchObject({ out: 'dist', cache: '.lectern', defaultLanguage: 'en' });
  });

  it('applies flags over environment over file over defaults', async () => {
    await writeConfig('{ "out": "file", "cache": "file", "defaultLanguage": "de" }');
    const config = await load({
      environment: { LECTERN_OUT: 'environment', LECTERN_CACHE: 'environment' },
      flags: { out: 'flag' },
    });
    expect(config).toMatchObject({ out: 'flag', cache: 'environment', defaultLanguage: 'de' });
  });

  it('reads a list of languages from the environment and ignores an empty variable', async () => {
    const config = await load({ environment: { LECTERN_LANGUAGES: 'en, de', LECTERN_OUT: '' } });
    expect(config).toMatchObject({ languages: ['en', 'de'], out: 'dist' });
  });

  it('refuses an empty folder, which would be the current one', async () => {
    await expect(load({ flags: { out: '', cache: '' } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message:
        'Invalid configuration:\n  out: must not be empty, not "" (--out)\n  cache: must not be empty, not "" (--cache)',
    });
  });

  it('takes repeated slashes in the URL of the site for one, as from two parts that a job joins', async () => {
    const config = await load({ environment: { LECTERN_SITE_URL: 'https://help.example.com//docs//' } });
    expect(config.siteUrl).toBe('https://help.example.com/docs/');
  });

  it('takes a language that is named twice for one', async () => {
    expect((await load({ environment: { LECTERN_LANGUAGES: 'en,de,en' } })).languages).toEqual(['en', 'de']);
  });

  it.each([
    ['feedback', { feedback: 'https://' }],
    ['answers.url', { answers: { url: 'https://ask example.com' } }],
    ['contact.form', { contact: { form: 'https://desk:example/' } }],
    ['contact', { contact: 'https://' }],
    ['headerLinks.0.href', { headerLinks: [{ title: 'Status', href: 'https://' }] }],
    ['ogImage', { ogImage: 'https://' }],
  ])('refuses a value of site.%s that is no URL although it begins as one', async (name, site) => {
    await expect(load({ flags: { site } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`site.${name}: must be a`),
    });
  });

  it.each(['{ "site": {}, "site": { "look": "docs" } }', '{ // twice\n "site": {}, "site": {}, }'])(
    'refuses a setting that JSON has twice, of which one would be lost: %j',
    async (text) => {
      await writeConfig(text);
      await expect(load()).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        message: expect.stringMatching(/: "site" is given twice; delete one of the two\n/),
      });
    },
  );

  it('takes strings in JSON that look like names for none', async () => {
    await writeConfig('{ "site": { "title": "\\"a\\": \\"b\\": {" }, "languages": ["en", "de"] }');
    expect(await load()).toMatchObject({ site: { title: '"a": "b": {' } });
  });

  it.each([
    [
      'site:\n  theme:\n    accent: #0b6e4f\n',
      /line 3: a # begins a comment behind the value of accent; put /,
    ],
    [
      'site:\n  title: Help #1\n',
      /line 2: a # begins a comment behind the value of title; put the value into quo/,
    ],
    [
      'siteUrl:\nout: dist # here\n',
      /not null \(lectern\.config\.yaml\); write a value, or delete the line$/,
    ],
  ])('says what to do about a value that YAML does not read: %j', async (text, message) => {
    await write('lectern.config.yaml', text);
    await expect(load()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(message),
    });
  });

  it('refuses a path with a ~ that no shell replaced', async () => {
    await writeConfig('{ "out": "~/site", "cache": "~", "source": { "kind": "folder", "path": "~/docs" } }');
    await expect(load()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(
        /^.*(?:\n {2}(?:out|cache|source\.path): must be a path without ~, .*){3}$/,
      ),
    });
    await writeConfig('{ "out": "./~", "cache": "~old" }');
    expect(await load()).toMatchObject({ out: './~', cache: '~old' });
  });

  it.each([
    ['out', `{ "out": "$\{OUT}" }`],
    ['cache', '{ "cache": "/var/cache/$USER" }'],
    ['siteUrl', `{ "siteUrl": "https://$\{HOST}/" }`],
    ['baseUrl', '{ "baseUrl": "https://kb.example.com/$VERSION" }'],
  ])('refuses a name of a variable that nothing replaced in %s', async (name, text) => {
    await writeConfig(text);
    await expect(load()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`${name}: must not have $NAME, which only a shell replaces, not "`),
    });
  });

  it.each([
    ['{ "site.title": "Help" }', 'site.title: unknown setting; write { "site": { "title": … } }'],
    ['{ "site.theme": {} }', 'site.theme: unknown setting; write { "site": { "theme": … } }'],
    ['{ "site": { "theme.accent": "red" } }', 'unknown setting; write { "theme": { "accent": … } }'],
  ])('says how to write a name with dots: %s', async (text, message) => {
    await writeConfig(text);
    await expect(load()).rejects.toThrow(message);
  });

  it.each([
    ['latin1', 'not UTF-8'],
    ['utf16le', 'UTF-16'],
  ] as const)('refuses a file in %s, whose letters would be lost', async (encoding, what) => {
    const text =
      encoding === 'utf16le' ? '\ufeff{ "site": {} }' : '{ "site": { "title": "Hilfe für alle" } }';
    await writeFile(join(folder, 'lectern.config.json'), text, encoding);
    await expect(load()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`the file is ${what}; save it as UTF-8`),
    });
  });

  it('reads en-UK as en-GB', async () => {
    const config = await load({
      environment: { LECTERN_LANGUAGES: 'en-UK,de', LECTERN_DEFAULT_LANGUAGE: 'en-uk' },
    });
    expect(config).toMatchObject({ languages: ['en-GB', 'de'], defaultLanguage: 'en-GB' });
  });

  it.each([
    ['lectern.config.yaml', 'out: site\nurls:\n  article: "{id}" # short\n'],
    ['lectern.config.yml', 'out: site\nurls: { article: "{id}" }\n'],
    ['lectern.config.mjs', 'export default { out: "site", urls: { article: "{id}" } };'],
    ['lectern.config.js', 'module.exports = { out: "site", urls: { article: "{id}" } };'],
    ['lectern.config.ts', 'const out: string = "site";\nexport default { out, urls: { article: "{id}" } };'],
    ['lectern.config.cjs', 'module.exports = { out: "site", urls: { article: "{id}" } };'],
    ['lectern.config.cts', 'const out: string = "site";\nexport = { out, urls: { article: "{id}" } };'],
    ['lectern.config.jsonc', '{ "out": "site", "urls": { "article": "{id}" } } // short'],
    ['lectern.config.mts', 'export default async () => ({ out: "site", urls: { article: "{id}" } });'],
  ])('reads %s', async (name, text) => {
    await write(name, text);
    expect(await load()).toMatchObject({ out: 'site', urls: { article: '{id}' } });
  });

  it.each(['js', 'mjs', 'ts'])(
    'reads lectern.config.%s again when it was changed, as a preview does',
    async (ending) => {
      for (const out of ['one', 'two']) {
        await write(`lectern.config.${ending}`, `export default { out: '${out}' };`);
        expect(await load()).toMatchObject({ out });
      }
    },
  );

  it.each([
    ['js', 'commonjs', 'export default { out: "site" };'],
    ['ts', 'commonjs', 'export default { out: "site" };'],
    ['js', 'module', 'module.exports = { out: "site" };'],
    ['ts', 'module', 'enum Folder { out = "site" }\nexport default { out: Folder.out };'],
  ])('reads lectern.config.%s of a package of the type %s: %s', async (ending, type, text) => {
    await write('package.json', JSON.stringify({ type }));
    await write(`lectern.config.${ending}`, text);
    expect(await load()).toMatchObject({ out: 'site' });
  });

  it('says what to do if a program imports a Lectern that is installed elsewhere', async () => {
    await write(
      'lectern.config.mjs',
      "import { defineConfig } from 'lectern';\nexport default defineConfig({});",
    );
    await expect(load()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining("'lectern'"),
      hint: 'export the settings without defineConfig, or install Lectern in this folder, too',
    });
  });

  it.each([
    '../{id}',
    '{id}/..',
    'a/./{id}',
    '/{id}',
    'a//{id}',
    'https://example.com/{id}',
    '{lang}/{id}?x',
    '{id}#x',
    '..\\{id}',
    '%2e%2e/{id}',
    '{id}\0',
    '{id} x',
    '{nope}/{id}',
    '{id',
    'C:{id}',
  ])('refuses the pattern %j, whose pages would have no address below the site', async (pattern) => {
    for (const name of ['article', 'category']) {
      const flags = { urls: { [name]: pattern } };
      await expect(load({ flags })).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining(`urls.${name}: must be a`),
      });
    }
  });

  it.each(['{id}', '{lang}/{slug}.html', 'hjälp/{id}-{slug}/', 'a.b/{lang}/x{id}y'])(
    'takes the pattern %j',
    async (article) => {
      expect(await load({ flags: { urls: { article } } })).toMatchObject({ urls: { article } });
    },
  );

  it('reads the source from a flag or variable, and keeps the settings of the file for the same kind', async () => {
    await writeConfig('{ "source": { "kind": "folder", "path": "docs", "layout": "plain" } }');
    expect((await load({ flags: { source: parseSource('./kb', folder) } })).source).toMatchObject({
      kind: 'folder',
      path: './kb',
      layout: 'plain',
    });
    const { source } = await load({ environment: { LECTERN_SOURCE: 'api' } });
    expect(source).toMatchObject({ kind: 'api', listing: 'auto' });
    expect(source).not.toHaveProperty('path');
    await expect(load({ environment: { LECTERN_SOURCE: 'docs' } })).resolves.toMatchObject({
      source: { path: 'docs', layout: 'plain' },
    });
  });

  it('uses settings of a source whose kind and path only a flag names', async () => {
    await writeConfig('{ "source": { "content": "#text" } }');
    expect((await load({ flags: { source: parseSource('site:build', folder) } })).source).toEqual({
      kind: 'site',
      path: 'build',
      content: '#text',
    });
    await writeConfig('{ "source": { "math": true } }');
    expect((await load({ flags: { source: parseSource('docs', folder) } })).source).toMatchObject({
      kind: 'folder',
      path: 'docs',
      math: true,
    });
    await expect(load({ flags: { source: parseSource('site:build', folder) } })).rejects.toThrow(
      'source.math: unknown setting; it belongs to another source.kind',
    );
    await writeConfig('{ "source": { "listing": "paged" } }');
    expect((await load({ flags: { source: { kind: 'zendesk' } } })).source).toEqual({ kind: 'zendesk' });
  });

  it('refuses a source that does not exist, and settings of another kind', async () => {
    await writeConfig('{ "source": { "kind": "folder", "listing": "paged" } }');
    await expect(load()).rejects.toThrowErrorMatchingInlineSnapshot(`
      [LecternError: Invalid configuration:
        source.path: is missing (lectern.config.json)
        source.listing: unknown setting; it belongs to another source.kind]
    `);
    await writeConfig('{ "source": { "kind": "wiki" } }');
    await expect(load()).rejects.toThrowErrorMatchingInlineSnapshot(`
      [LecternError: Invalid configuration:
        source.kind: must be "api", "folder", "site" or "zendesk", not "wiki" (lectern.config.json)]
    `);
    await writeConfig('{ "source": "folder:./docs" }');
    await expect(load()).rejects.toThrow(
      'source: must be an object such as { "kind": "folder", "path": "./docs" }, not "folder:./docs"',
    );
  });

  it('refuses {path} in URLs if the articles are not pages of a folder', async () => {
    await writeConfig('{ "urls": { "article": "{path}", "category": "docs/{path}" } }');
    const { message } = (await load().catch((error: unknown) => error)) as Error;
    const why = 'must be a pattern of {lang}, {id} and {slug}, because only pages of a folder have a {path}';
    expect(message.split('\n').map((line) => line.trim())).toEqual([
      'Invalid configuration:',
      `urls.article: ${why}, not "{path}" (lectern.config.json)`,
      `urls.category: ${why}, not "docs/{path}" (lectern.config.json)`,
    ]);
    const config = await load({ flags: { source: { kind: 'folder', path: '.' } } });
    expect(config.urls.article).toBe('{path}');
  });

  it('refuses to choose between two configuration files', async () => {
    await writeConfig('{}');
    await write('lectern.config.yaml', '{}');
    await expect(load()).rejects.toMatchObject({ code: 'CONFIG_INVALID', exitCode: 2 });
    expect(await load({ file: 'lectern.config.yaml' })).toMatchObject({ out: 'dist' });
  });

  it.each(['https://help.example.com/?a=b', 'https://help.example.com/#top'])(
    'refuses a URL of the site with what would be lost: %s',
    async (siteUrl) => {
      await writeConfig(JSON.stringify({ siteUrl }));
      await expect(load()).rejects.toThrow(
        'siteUrl: must be a URL such as https://help.example.com, without ? and #',
      );
    },
  );

  it('reports all errors at once: path, expectation, value, origin and the intended name', async () => {
    await writeConfig(
      JSON.stringify({
        baseUrl: 'https://user:pass@kb.example.com/v1?key=SECRET',
        siteUrl: 'help.example.com?key=SECRET',
        outt: 'x',
        accent: 'red',
        colour: 'red',
        languages: ['!'],
        urls: { article: '{lang}/a', categroy: '{id}' },
        site: { look: 'hlep', title: 5 },
        source: { listing: 'page' },
        cache: 3,
      }),
    );
    await expect(
      load({ environment: { LECTERN_DEFAULT_LANGUAGE: '_' } }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(`
      [LecternError: Invalid configuration:
        siteUrl: must be a URL such as https://help.example.com, not "help.example.com?key=…" (lectern.config.json)
        defaultLanguage: must be a BCP 47 language tag such as en or pt-BR, not "_" (LECTERN_DEFAULT_LANGUAGE)
        languages.0: must be a BCP 47 language tag such as en or pt-BR, not "!" (lectern.config.json)
        cache: must be a string, not 3 (lectern.config.json)
        urls.article: must be a pattern that names {id}, {slug} or {path}, not "{lang}/a" (lectern.config.json)
        urls.categroy: unknown setting; did you mean urls.category?
        source.listing: must be "auto", "paged" or "whole", not "page" (lectern.config.json); did you mean "paged"?
        site.title: must be a string, or one per language such as { "en": "…", "de": "…" }, not 5 (lectern.config.json)
        site.look: must be "help" or "docs", not "hlep" (lectern.config.json); did you mean "help"?
        outt: unknown setting; did you mean out?
        accent: unknown setting; did you mean site.theme.accent?
        colour: unknown setting]
    `);
  });

  it.each(['blu', 'facade', '#12345', 'rgb(1,2)', 'inherit', 'transparent', '#0b6e4f80', 'red;}body{'])(
    'refuses a colour that no browser shows as it is: %s',
    async (color) => {
      await writeConfig(JSON.stringify({ site: { theme: { accent: color } } }));
      await expect(load()).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        exitCode: 2,
        message: `Invalid configuration:\n  site.theme.accent: must be an opaque CSS colour such as #0b6e4f, teal or oklch(50% 0.1 160), or { "light": "…", "dark": "…" }, not "${color}" (lectern.config.json)`,
      });
    },
  );

  it.each([
    'blue',
    'RebeccaPurple',
    '#abc',
    '#0B6E4F',
    'rgb(11, 110, 79)',
    'hsl(160deg 80% 25%)',
    'oklch(50% 0.1 160)',
  ])('takes a CSS colour: %s', async (accent) => {
    await writeConfig(JSON.stringify({ site: { theme: { accent } } }));
    expect((await load()).site.theme.accent).toBe(accent);
  });

  it.each([
    'https://youtube.com',
    '*.youtube.com',
    'youtube.com/',
    'youtube.com:443',
    '.youtube.com',
    'YouTube.com',
  ])('refuses a host of frames that no address has: %s', async (host) => {
    await writeConfig(JSON.stringify({ content: { iframeHosts: ['player.vimeo.com', host] } }));
    await expect(load()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      exitCode: 2,
      message: `Invalid configuration:\n  content.iframeHosts.1: must be a host name in lower case such as player.vimeo.com, without https://, port and path; its subdomains are included, not "${host}" (lectern.config.json)`,
    });
  });

  it.each(['old.example.com', 'old.example.com:8443', '//old.example.com', 'ftp://old.example.com'])(
    'refuses a former host that is no web address: %s',
    async (host) => {
      await writeConfig(JSON.stringify({ content: { hosts: ['https://a.example.com', host] } }));
      await expect(load()).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        exitCode: 2,
        message: `Invalid configuration:\n  content.hosts.1: must be a URL such as https://old.example.com, not "${host}" (lectern.config.json)`,
      });
    },
  );

  it('allows comments and trailing commas in JSON', async () => {
    await writeConfig('{\n  // where it goes\n  "out": "public", /* all of it */\n}\n');
    expect((await load()).out).toBe('public');
  });

  it('shows the line of a mistake in JSON, without a key that it contains', async () => {
    await writeConfig(
      '{\n  "out": "public",\n  "apiKey": "lk_secret" "siteUrl": "https://help.example.com"\n}\n',
    );
    await expect(load()).rejects.toThrowErrorMatchingInlineSnapshot(`
      [LecternError: lectern.config.json is not valid JSON: line 3, column 25: a comma is missing
        3 |   "apiKey": "*********" "siteUrl": "https://help.example.com"
          |                         ^]
    `);
  });

  it.each(['apiKey', 'api_key', 'key', 'token'])('has no setting for the API key: %s', async (name) => {
    await writeConfig(JSON.stringify({ [name]: 'secret' }));
    await expect(load()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      exitCode: 2,
      message: expect.stringMatching(/^(?!.*secret)[\s\S]*LECTERN_API_KEY/),
    });
  });

  it.each([
    ['none.json', null, 'CONFIG_INVALID', 'does not exist'],
    ['broken.json', '{ "out": ', 'CONFIG_INVALID', 'is not valid JSON'],
    ['list.json', '[]', 'CONFIG_INVALID', 'is not an object'],
    ['broken.yaml', 'out: [', 'CONFIG_INVALID', 'is not valid YAML'],
    [
      'broken.mjs',
      'import "node:fs"; throw new Error("boom")',
      'CONFIG_INVALID',
      'broken.mjs:1 cannot be run: boom',
    ],
    ['wrong.mjs', 'export default {\n  out: ,\n}', 'CONFIG_INVALID', 'wrong.mjs:2:7 cannot be run'],
    ['broken.ts', 'export default {};\nconst a: = 1', 'CONFIG_INVALID', 'broken.ts:2'],
    [
      'forgot.mjs',
      'const config = { out: "a" };',
      'CONFIG_INVALID',
      'forgot.mjs is not an object of settings',
    ],
    ['names.ts', 'export const out = "a";', 'CONFIG_INVALID', 'names.ts is not an object of settings'],
  ])('says what is wrong with %s', async (file, text, code, message) => {
    if (text !== null) await write(file, text);
    await expect(load({ file })).rejects.toMatchObject({
      code,
      exitCode: 2,
      message: expect.stringContaining(message),
    });
  });
});

describe('the origins of loadConfig', () => {
  it('knows the origin of each value', async () => {
    await writeConfig('{ "cache": "c", "site": { "title": "Help" } }');
    const { originOf } = await loadConfig(
      input({ environment: { LECTERN_OUT: 'o' }, flags: { siteUrl: 'https://help.example.com' } }),
    );
    const paths = ['siteUrl', 'out', 'cache', 'site.title', 'site.look'];
    expect(paths.map((path) => originOf(path.split('.')))).toEqual([
      '--site-url',
      'LECTERN_OUT',
      'lectern.config.json',
      'lectern.config.json',
      'default',
    ]);
  });
});
