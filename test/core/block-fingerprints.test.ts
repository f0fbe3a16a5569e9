import { describe, expect, it } from 'vitest';
import { fingerprintBlocks, fingerprintWords } from '../../src/core/block-fingerprints.ts';

const note = 'This article is about lockers for parcels.';

describe('the fingerprints of call-outs', () => {
  it.each([
    `<div class="callout callout-info"><p>${note}</p></div>`,
    `<p class='alert'>${note}</p>`,
    `<aside class=note><p>This <b>article</b> is about&nbsp;lockers <img alt="for" src="a.png"> parcels.</p></aside>`,
    `<blockquote><p>[!NOTE] ${note}</p></blockquote>`,
    `<div class="notice"><div>This article</div> is about lockers for parcels.</div>`,
    `<pre class="warning-box">${note}</pre>`,
  ])('are of the words, whatever marks them up: %s', (html) => {
    expect(fingerprintBlocks(`<p>Before</p>${html}<p>After</p>`)).toEqual([fingerprintWords(note)]);
  });

  it('are of nothing else', () => {
    expect(fingerprintBlocks(`<p>First words.</p><p>${note}</p><div class="box">${note}</div>`)).toEqual([]);
    expect(fingerprintBlocks('<div class="note">Short</div>')).toEqual([]);
    expect(fingerprintBlocks(`<div class="note">${note}`)).toEqual([]);
    expect(fingerprintBlocks(`<div class="note">${'words '.repeat(2000)}</div>`)).toEqual([]);
  });

  it('are also of the first paragraph', () => {
    expect(
      fingerprintBlocks(`<h2>Title</h2><p class="x">${note}</p><p>Another paragraph follows.</p>`),
    ).toEqual([fingerprintWords(note)]);
  });

  it('are found in time that grows with the body', () => {
    for (const piece of ['<div class="note">', '<div ', '<blockquote>', '&', '<', 'class=', '</div>']) {
      expect(fingerprintBlocks(piece.repeat(200_000))).toEqual([]);
    }
  });

  it('tell texts apart that differ in one word', () => {
    expect(fingerprintWords(note)).not.toBe(fingerprintWords(note.replace('parcels', 'letters')));
  });
});
