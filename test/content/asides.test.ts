import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { settings } from './settings.ts';

const htmlOf = (body: string): string => transform(body, settings()).html.replaceAll('\n', '');

describe('asides', () => {
  it('are named after their first heading, the heading above or their first words', () => {
    expect(htmlOf('<h2>Pins</h2><aside><div><h3>Spare "pins"</h3></div><p>Text</p></aside>')).toContain(
      '<aside aria-label="Spare &quot;pins&quot;">',
    );
    expect(htmlOf('<h2>Pins</h2><aside><p>Text</p></aside>')).toContain('<aside aria-label="Pins">');
    expect(htmlOf('<aside><p>Text <b>here</b></p></aside>')).toBe(
      '<aside aria-label="Text here"><p>Text <b>here</b></p></aside>',
    );
  });

  it('with long texts have short names', () => {
    const label =
      / aria-label="([^"]*)"/.exec(htmlOf(`<aside><p>${'word '.repeat(100)}</p></aside>`))?.[1] ?? '';
    expect(label).toHaveLength(120);
    expect(label).toMatch(/d…$/);
  });

  it('are plain blocks within asides and tables, which are landmarks themselves', () => {
    expect(htmlOf('<aside><p>a</p><aside><p>b</p></aside></aside>')).toBe(
      '<aside aria-label="a b"><p>a</p><div><p>b</p></div></aside>',
    );
    expect(htmlOf('<table><tr><td><aside><p>a</p></aside></td><td>b</td></tr></table>')).toContain(
      '<td><div><p>a</p></div></td>',
    );
  });
});
