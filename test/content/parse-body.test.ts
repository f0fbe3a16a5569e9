import { describe, expect, it } from 'vitest';
import { parseBody } from '../../src/content/parse/parse-body.ts';
import type { SourceNode } from '../../src/content/parse/source-tree.ts';
import { isStorageFormat, storageToHtml } from '../../src/content/parse/storage-format.ts';
import { endPlayers } from '../../src/content/parse/unclosed-players.ts';
import { fc, runs } from '../support/properties.ts';
import { arbitraryBody } from './arbitrary-body.ts';
import { ourOutline, plainOutline } from './outline.ts';

describe('parseBody', () => {
  it.each([
    'a\r\nb\rc\n\rd&amp;\r\n<p title="a\r\nb&amp;c\rd">e\r</p>\r\n',
    'a\0b<p title="c\0d">\0</p><svg>\0x</svg>',
    '<pre>\n\na</pre><pre>\r\nb</pre><textarea>\nc</textarea><listing>\n\n</listing>',
    '<table> a <tr> b <td> c d </td> e </table><table>\n<caption> f g </caption></table>',
    '<svg> a b <foreignObject> c d </foreignObject></svg><math><mi> e f </mi></math>',
    '😀 a\ud800b 😀😀\udc00<p title="😀\ud800x">😀</p>😀&#128512;&notit;&noti x&ampy&#0;&#x80;',
    '<p class="a&b"c="d&copy=e"f=\'g"h\'>i<p class="',
    'a &lt b &amp',
    '<select> a b <option> c d </select><template> e <td> f </template><frameset> g',
  ])('builds the tree parse5 builds: %j', (body) => {
    expect(ourOutline(body)).toEqual(plainOutline(body));
  });

  it('builds the tree parse5 builds, whatever the body', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryBody, fc.string({ unit: 'binary' })), (body) => {
        // Of the storage format, parse5 reads no CDATA, and a player without an end has everything after it.
        const html = endPlayers(isStorageFormat(body) ? storageToHtml(body) : body);
        expect(ourOutline(body)).toEqual(plainOutline(html));
      }),
      { numRuns: runs(600) },
    );
  });

  it.each([
    ['<iframe src="/a"/>b<iframe src=/c/></iframe>', '<iframe src="/a"></iframe>b<iframe src=/c/></iframe>'],
    ["<VIDEO controls src='/a' /><p>b</p>", "<VIDEO controls src='/a' ></VIDEO><p>b</p>"],
    [
      '<audio src="/a>b"><p>c<audio></audio>d<audio>e',
      '<audio src="/a>b"><p>c<audio></audio>d<audio></audio>e',
    ],
    ['<object data=a /><iframe src="b', '<object data=a ></object><iframe src="b'],
    ['<video><source src="/a"> <track src=/b><p>c', '<video><source src="/a"> <track src=/b></video><p>c'],
    ['<img alt="a <video>"><script>"<iframe>"</script>', '<img alt="a <video>"><script>"<iframe>"</script>'],
    ['<videos/><video-js/><x-iframe/>', '<videos/><video-js/><x-iframe/>'],
  ])('ends players that have no end: %s', (body, ended) => {
    expect(endPlayers(body)).toBe(ended);
    expect(endPlayers(ended)).toBe(ended);
  });

  it('stops repeating formatting once the tree would outgrow the body', () => {
    const body = Array.from({ length: 2000 }, (_, index) => `<p><b id=${index}>x`).join('');
    let count = 0;
    for (let node: SourceNode | null = parseBody(body).first; node !== null; node = node.next) {
      for (let inner = node.first; inner !== null; inner = inner.first) count++;
    }
    expect(count).toBeLessThan(20_000);
  });
});
