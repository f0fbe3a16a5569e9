import { describe, expect, it } from 'vitest';
import { describeLoss, Tally } from '../../src/content/ledger.ts';
import { parseBody } from '../../src/content/parse/parse-body.ts';
import { transform } from '../../src/content/transform.ts';
import { CleanElement } from '../../src/content/tree/clean-tree.ts';
import { fc, runs } from '../support/properties.ts';
import { arbitraryBody, arbitraryText } from './arbitrary-body.ts';
import { settings } from './settings.ts';

const lossOf = (body: string, isThorough = true) =>
  transform(body, settings({ isThorough })).problems.find(({ code }) => code === 'CONTENT_LOST')?.message ??
  null;

describe('the ledger of a body', () => {
  it('names the first words that are not published, and how many things are missing', () => {
    const before = Object.assign(new Tally(), { letters: 9, sum: 1, images: 2, links: 1 });
    const removed = { tally: new Tally(), texts: [] };
    const page = new CleanElement('p', '', null, ['two']);
    const body = '<p>one <b>two</b> three</p>';
    const lossOfTwo = (isThorough: boolean) =>
      describeLoss(body, parseBody(body), before, removed, page, isThorough);
    expect(lossOfTwo(true)).toBe('of the body are missing: the words "one three", 2 images, 1 links');
    expect(lossOfTwo(false)).toBe(lossOfTwo(true));
    const all = { tally: before, texts: ['one', 'three'] };
    const three = '<p>one two three</p>';
    expect(describeLoss(three, parseBody(three), before, all, page, true)).toBe(null);
  });

  it.each([
    '<div>One<div></div>two</div>',
    '<ul><li>One<p>&nbsp;</p>two</li></ul>',
    '<table><tr><td>One<p><br></p>two</td><td>x</td></tr></table>',
    '<p>One<button>x</button>two</p>',
    '<h2>One<p>two</p>three</h2>',
    '<pre><p>one</p>two</pre>',
    '<pre>one<img src="/a.png" alt="">two</pre>',
    '<p>One <span class="ql-formula" data-value="x">x</span></p>',
    '<p class="ql-ui">One</p>',
    '<ac:structured-macro ac:name="panel"><p>One</p></ac:structured-macro>',
    '<ac:rich-text-body>One</ac:rich-text-body>two',
    '<div role="tablist"><a aria-controls="a">One</a> <a>Two</a></div><div id="a" role="tabpanel">three</div>',
    '<ul role="tablist"><li role="tab" aria-controls="a">One</li></ul><div role="tabpanel" id="a">two</div>',
    '<ul role="tablist"><li><a role="tab" id="t" data-toggle="tab" href="#a">One</a></li><li>two</li></ul><div role="tabpanel" id="a">three</div>',
    '<a data-toggle="collapse" href="#a">One</a><div id="a">two</div>',
    '<p id="b"><a data-toggle="collapse" href="#a">One</a></p><div id="a">two</div>',
    '<oembed url="https://youtu.be/abc">One two</oembed>',
    '<p style="mso-list:l0 level1 lfo1">1.&nbsp;&nbsp; One</p>',
    '<blockquote><p>[!NOTE]<br>One</p></blockquote>',
    '<video style="display:none" src="/a.mp4"></video>one',
    '<p>one <kbd hidden>two</kbd>three <svg><text>four</text></svg>five</p>',
    '<p>One<oembed url="https://example.com/a"></oembed>two</p>',
    '<h3>One<p style="text-decoration:line-through">two</p>three<pre>four</pre></h3>',
    '<figure>One<figcaption>two</figcaption>three</figure>',
    '<a>One<iframe src="https://example.com/a"></iframe>two</a>',
    '<table><tr id="a"><td>One</td></tr></table>',
    '<p><ac:link id="a"></ac:link><input id="b"><ac:image id="c"><ri:url ri:value="/a.png"></ri:url></ac:image></p>',
    '<p style="mso-list:l0 level1 lfo1" id="a">1.&nbsp;&nbsp; One</p>',
    '<p>漢字<b>かな</b>ไทย</p>',
    '<ac:adf-extension><ac:adf-node type="panel"><ac:adf-attribute key="panel-type">error</ac:adf-attribute><ac:adf-content>One</ac:adf-content></ac:adf-node><ac:adf-fallback>One</ac:adf-fallback></ac:adf-extension>',
    '<lite-youtube videoid="x" playlabel="One"><a href="https://youtu.be/x">Play: One</a></lite-youtube>',
    'One<tt>two</tt>three<strike>four</strike>five',
    'One<button aria-expanded>two</button>three <button hidden></button>four',
    '<table><th></th>One<table>two',
    '<table><tr><td>x</td></tr><caption>One</caption><caption id="a">two</caption></table>',
    '<ac:structured-macro><ac:plain-text-body><a href="/x">One</a></ac:plain-text-body></ac:structured-macro>',
    '<ac:plain-text-body>One</ac:plain-text-body>',
    '<p>One<span class="wistia_async_abc">two</span>three</p>',
    '<pre>One<audio></audio>two<button hidden></button>three<object></object>\ufefffour</pre>',
    'One<oembed url="https://youtu.be/x">two</oembed><oembed url="https://x.example/" id="a"></oembed>',
    '<pre class="expand-control">One</pre><div class="expand-content">two</div>',
    '<details>One<summary>two</summary>three</details>',
    'One<x-panel style="display:none" role="tabpanel">two</x-panel>three',
    'One<h6 aria-controls="a"></h6>two<div id="a" role="tabpanel">three</div>',
    '<div aria-controls="a"><s>One</s><p>two</p><img src="/a.png"></div><div id="a" role="tabpanel">three</div>',
    '<div aria-controls="a">One<div id="a" role="tabpanel">two</div></div>',
    '<p>One<input type=hidden value=x>two<input value=y>three</p>',
    '<pre>One<output>two</output>three<template>four</template>five</pre>',
    '<p>One<template>two</template>three</p>',
    '<img src="/a.png" alt="One" aria-expanded="false"><div hidden>two</div>',
  ])('is balanced or explained: %s', (body) => {
    expect(lossOf(body)).toBe(null);
  });

  it('is explained in time if thousands of drawings are parts of one word', { timeout: 20_000 }, () => {
    const drawings = '<span class="MathJax">x</span>'.repeat(4000);
    expect(lossOf(`<p>a${drawings}<script type="math/tex">x</script></p>`)).toBe(null);
  });

  it('is balanced or explained for generated bodies', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryBody, arbitraryText), (body) => {
        expect(lossOf(body, false)).toBe(null);
      }),
      { numRuns: runs(400) },
    );
  });
});

describe('an empty block between two texts', () => {
  it.each([
    ['<div>One<div></div>two</div>', 'One\ntwo'],
    ['<ul><li>One<p>&nbsp;</p>two</li></ul>', '- One\n  two'],
    ['<div>One<ul></ul>two</div>', 'One\ntwo'],
  ])('ends the line, as in browsers: %s', (body, text) => {
    expect(transform(body, settings()).text).toBe(text);
  });
});

it.each([
  ['<pre>npm ci<button>Copy</button></pre>', 'npm ci', '<button> is not allowed. It was removed.'],
  ['<pre>a<span hidden>b</span></pre>', 'a', 'hidden text was removed: "b"'],
  [
    '<pre>a</pre><p hidden><button>b</button></p>',
    'a',
    'hidden content was removed: text of buttons or fields',
  ],
])('publishes only the code of a block of code: %s', (body, text, message) => {
  const document = transform(body, settings({ isThorough: true }));
  expect([document.text, ...document.problems.map((one) => one.message)]).toEqual([text, message]);
});

it('does not publish a macro that its author hid', () => {
  const body =
    '<p>a</p><ac:structured-macro hidden><ac:rich-text-body>b</ac:rich-text-body></ac:structured-macro>';
  expect(transform(body, settings()).text).toBe('a');
});

it('says that a block of code has no place for struck text', () => {
  expect(
    transform('<pre><del>old</del>new</pre>', settings()).problems.map(({ message }) => message),
  ).toEqual(['<del> in a block of code is published as its text.']);
});

it('publishes the images in a block of code behind it', () => {
  const { html } = transform('<pre>code<img src="/a.png" alt="A"></pre>', settings());
  expect(html).toMatch(/<\/pre>\s*<img [^>]*alt="A"/);
});
