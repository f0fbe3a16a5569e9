import { describe, expect, it } from 'vitest';
import { createHugoMarkup } from '../../../src/source/folder/markup/hugo.ts';
import { renderMarkdown } from '../../../src/source/folder/render-markdown.ts';
import { readPage } from '../../support/read-page.ts';

const markup = createHugoMarkup({ params: { App: { version: 9 } }, hasBlockAttributes: false, math: [] });
const read = (text: string, files = {}, data = {}) =>
  readPage(markup, text, files, 'docs/en/guide/page.md', data);
/** Without empty lines. */
const dense = (text: string): string => text.replace(/\n{2,}/g, '\n').trim();

describe('a page of Hugo', () => {
  it.each([
    [
      '{{< figure src="a.png" alt="A & B" caption="**Big**" link="/b" >}}',
      '<figure>\n<a href="/b"><img src="a.png" alt="A &amp; B"></a>\n<figcaption><strong>Big</strong></figcaption>\n</figure>',
    ],
    [
      '{{< youtube id="abc_1" title="Tour" >}}',
      '<iframe src="https://www.youtube-nocookie.com/embed/abc_1" title="Tour"></iframe>',
    ],
    ['{{< vimeo 12 >}}', '<iframe src="https://player.vimeo.com/video/12" title="Vimeo"></iframe>'],
    ['{{< gist ann 12 >}}', '[https://gist.github.com/ann/12](https://gist.github.com/ann/12)'],
    ['{{< highlight go "linenos=true" >}}\na {{ b }}\n{{< /highlight >}}', '```go\na {{ b }}\n```'],
    ['Use {{< highlight go "hl_inline=true" >}}a{{< /highlight >}}.', 'Use `` a ``.'],
    ['[a]({{< relref "b.md#c" >}})', '[a](b.md#c)'],
    ['{{% param "app.version" %}} {{< param own >}}', '9 1'],
    [
      '1. One\n   {{% details summary="More" %}}\n   In\n   {{% /details %}}',
      '1. One\n   <details>\n   <summary>More</summary>\n   In\n   </details>',
    ],
    ['{{% notice style="tip" title="Try" %}}\nIt\n{{% /notice %}}', '> [!TIP]\n> **Try**\n>\n> It'],
    [
      '{{< tabpane lang="sh" >}}\n{{< tab "A" >}}x{{< /tab >}}\n{{% tab header="B" %}}*y*{{% /tab %}}\n{{< /tabpane >}}',
      '<details open>\n<summary>A</summary>\n```sh\nx\n```\n</details>\n<details>\n<summary>B</summary>\n*y*\n</details>',
    ],
    ['{{% include "/parts/a.md" %}}', 'One <small>New in v2</small>'],
    ['{{< box "red" >}}*In*{{< /box >}}', '<div class="red">\n*In*\n</div>'],
    ['{{</* figure src="a" */>}} `{{%/* x */%}}`', '{{&lt; figure src="a" >}} `{{% x %}}`'],
    ['```\n{{< x >}}\n{{</* y */>}}\n```', '```\n{{< x >}}\n{{< y >}}\n```'],
    ['a{{/* note */}}b', 'ab'],
  ])('shows %j', (markdown, shown) => {
    const files = {
      'docs/en/parts/a.md': '---\ntitle: A\n---\nOne {{< new-in 2 />}}',
      'layouts/_shortcodes/box.html':
        '{{/* Box */}}<div class="{{ .Get 0 }}">{{ .Inner | markdownify }}</div>',
    };
    const { text, unknown } = read(markdown, files, { params: { own: 1 } });
    expect(unknown).toEqual([]);
    expect(dense(text)).toBe(shown);
  });

  it.each([
    ['{{< staff >}}TOPSECRET{{< staff >}}TOPSECRET{{< /staff >}}{{< /staff >}}', '{{< staff >}}'],
    ['{{< staff >}}\n```\nTOPSECRET\n```\n{{< /staff >}}', '{{< staff >}}'],
    ['{{% include "/parts/draft.md" %}}', '{{% include "/parts/draft.md" %}}'],
    ['{{% include "../../../../x.md" %}}', '{{% include "../../../../x.md" %}}'],
    ['{{< youtube "a\\"b" >}}', '{{< youtube "a\\"b" >}}'],
    ['{{< logic >}}TOPSECRET{{< /logic >}}', '{{< logic >}}'],
  ])('is published without %j, which is reported', (markdown, what) => {
    const files = {
      'docs/parts/draft.md': '+++\ndraft = true\n+++\nTOPSECRET',
      'layouts/shortcodes/logic.html': '{{ if .Site.Params.staff }}{{ .Inner }}{{ end }}',
    };
    const { text, unknown } = read(`First.\n\n${markdown}\n\nLast.`, files);
    expect(text).toMatch(/^First\.\s+Last\.$/);
    expect(unknown).toEqual([{ what, line: 3 }]);
  });

  it('shows a player of a trusted host, and names of elements in a line as text', () => {
    expect(renderMarkdown('<iframe src="https://a.test"></iframe>\n\nUse <script> here.')).toBe(
      '<iframe src="https://a.test"></iframe>\n<p>Use &lt;script> here.</p>',
    );
  });

  it('takes linear time for many shortcodes without an end', () => {
    for (const part of ['{{< a >}}', '{{< /a >}}', '{{<', '{{< "', '{{< highlight >}}', '{{</* '])
      read(part.repeat(5000));
  }, 30_000);
});
