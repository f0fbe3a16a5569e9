import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { everyNth } from '../support/properties.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeWith, describeWithCorpora, javaFlags } from '../support/tools.ts';
import { type NamedBody, readBodies, readPayloads } from './corpora.ts';
import { payloads } from './payloads.ts';
import { settings } from './settings.ts';

/** Bodies that break a rule of HTML each; browsers take them all. */
const invalid: readonly string[] = [
  '<p>a<div>b</div>c</p><strong>d<p>e</p></strong><a href=/x>f<h3>g</h3></a>',
  '<ul>a<p>b</p><ul><li>c</ul></ul><li>d</li><ol><div>e</div></ol>',
  '<dl>a<dd>b</dd></dl><dt>c</dt><dl><dt>d</dt></dl><dl><dt>e<dd>f</dl>',
  '<table><tr><td colspan=3>a<tr><td>b<td rowspan=9>c<tr><tr></table><table></table><table><caption>d</table>',
  '<table><tr><th><h2>a</h2><th>b<tr><td><ul><li>c<td rowspan=0>d</table>',
  '<table width=100% border=1 cellpadding=2><thead><tr><td>a</thead><tfoot><tr><td>b</tfoot><tbody><tr><td>c</table>',
  '<center><font color=red>a</font></center><p align=center>b</p><img src=/a.png><img src="/a b|c.png" alt=x border=0>',
  '<h1>a</h1><h4>b</h4><h6>c</h6><h1 id=a>d</h1><h3></h3><h2><img src=/x.png></h2>',
  '<p id=a>x</p><p id=a>y</p><p id="a b">z</p><a name=q></a><a name=q>w</a><a href="#none">v</a>',
  '<figure>a<figcaption>b</figcaption>c<figcaption>d</figcaption></figure><figcaption>e</figcaption>',
  '<details>a<summary>b</summary><summary>c</summary></details><details>d</details><summary>e</summary>',
  '<a href="https://x.test/?a|b c">a</a><a href="http://[bad">b</a><a href="https://x.test/%zz#a#b">c</a><a href="mailto:a b@x">d</a>',
  '<ol start=a type=x><li value=z>a</ol><ol start=-3 reversed><li value=07>b</ol><abbr title="">c</abbr><time>d</time>',
  '<p lang=xx dir=up>a</p><p lang=de-CH dir=rtl>b</p><bdo>c</bdo><q cite="a b">d</q><ruby>e<rt>f</rt></ruby>',
  '<video src=/a.mp4 autoplay><track src=x></video><audio src=/a.mp3></audio><iframe src=https://x.test></iframe>',
  '<a href=/x>a<button>b</button><a href=/y>c</a><label>d<input></label></a><nobr>e<nobr>f',
  '<div class=callout>a<div class="alert alert-danger">b</div></div><pre class=callout>c\nd</pre><blockquote>[!TIP]</blockquote>',
  '<address><h2>a</h2><section>b</section></address><main>c</main><header>d</header><summary><p>e</p></summary>',
];

describeWith('java', 'the Nu HTML checker', (java) => {
  it('finds an error if there is one', async () => {
    expect(await check(java, [{ name: 'raw', body: '<ul>a</ul>' }], (body) => body)).not.toEqual([]);
  });

  it('finds no errors in the result of invalid bodies', async () => {
    expect(await check(java, named(invalid), publish)).toEqual([]);
  });

  it('finds no errors in the result of hostile bodies', async () => {
    expect(await check(java, named(payloads), publish)).toEqual([]);
  });

  describeWithCorpora('on real knowledge bases and public payloads', () => {
    it('finds nothing', async () => {
      expect(await check(java, [...everyNth(3, readBodies()), ...readPayloads()], publish)).toEqual([]);
    });
  });
});

describe('what is checked', () => {
  it('is what transform gives', () => {
    expect(publish('<ul>a</ul>')).toBe('<ul>\n<li>a</li></ul>');
  });
});

function named(bodies: readonly string[]): NamedBody[] {
  return bodies.map((body, index) => ({ name: `${index}: ${body.slice(0, 60)}`, body }));
}

function publish(body: string): string {
  // Players have a separate test: the checker reports the sandbox that every player needs as an error.
  return transform(body, settings({ policy: { iframeHosts: [], classes: [], callouts: {} } })).html;
}

interface Message {
  readonly url: string;
  readonly message: string;
  readonly extract?: string;
}

/** Puts every body into a separate page and returns the errors of the checker. */
async function check(
  java: string,
  bodies: readonly NamedBody[],
  publish: (body: string) => string,
): Promise<string[]> {
  const folder = temporaryFolder();
  const files = bodies.map((_, index) => join(folder, `${index}.html`));
  for (const [index, { body }] of bodies.entries()) {
    const page = `<!DOCTYPE html><html lang="en"><head><title>t</title></head><body><article><h1>t</h1>${publish(body)}</article></body></html>`;
    await writeFile(files[index] ?? '', page);
  }
  const jar = join(
    dirname(createRequire(import.meta.url).resolve('vnu-jar/package.json')),
    'build/dist/vnu.jar',
  );
  const nu = ['-jar', jar, '--format', 'json', '--errors-only'];
  const report = await run(java, [...javaFlags, ...nu, ...files]);
  const { messages } = JSON.parse(report) as { readonly messages: readonly Message[] };
  return messages.map(({ url, message, extract }) => {
    const index = Number(/(\d+)\.html$/.exec(url)?.[1]);
    return `${bodies[index]?.name}: ${message} (${extract ?? ''})`;
  });
}

function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, [...args], { maxBuffer: 1 << 28 }, (error, _stdout, stderr) => {
      if (stderr.startsWith('{')) resolve(stderr);
      else reject(error ?? new Error(stderr));
    });
  });
}
