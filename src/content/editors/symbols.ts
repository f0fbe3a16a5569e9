import { after, following, textNode } from '../parse/edit-tree.ts';
import { attribute, type SourceNode } from '../parse/source-tree.ts';
import type { EditorRule } from './editor-rule.ts';

/** Characters with what a font shows for them, in turn. Only those that have an equal sign in Unicode. */
const fonts = new Map(
  Object.entries({
    wingdings:
      '"✂(☎*✉6⌛?✍A✌C👍D👎E☜F☞G☝H☟J☺K😐L☹l●m❍n■o□q❑r❒u◆v❖x☒¡○§▪¨□«★Ø➢ß←à→á↑â↓ã↖ä↗å↙æ↘ç←è→é↑ê↓ï⇦ð⇨ñ⇧ò⇩û✘ü✔ý☒þ☑',
    symbol:
      'AΑBΒCΧDΔEΕFΦGΓHΗIΙKΚLΛMΜNΝOΟPΠQΘRΡSΣTΤUΥWΩXΞYΨZΖaαbβcχdδeεfφgγhηiιkκlλmμnνoοpπqθrρsσtτuυwωxξyψzζ' +
      '£≤¥∞«↔¬←®→¯↓²″³≥´×µ∝¶∂·•¸÷¹≠º≡»≈¼…Ñ∇Õ∏Ö√×⋅Û⇔Þ⇒å∑ò∫',
  }).map(([font, table]) => [font, pairs(table)]),
);

function pairs(table: string): ReadonlyMap<string, string> {
  const signs = [...table];
  return new Map(signs.flatMap((sign, at) => (at % 2 === 0 ? [[sign, signs[at + 1] ?? sign] as const] : [])));
}

/** Longest text that is taken for signs: who set a paragraph in such a font by mistake meant its letters. */
const maxSigns = 4;

/** Word writes arrows, check marks and Greek letters as letters of a font that shows signs instead. */
export const symbolRule: EditorRule = {
  editor: 'Word, Outlook',
  report: 'plutext/docx4j#632',
  on: 'span font',
  rewrite(node, { remove }) {
    const table = fonts.get(fontOf(node) ?? '');
    if (table === undefined) return;
    for (let part = node.first, next: typeof part; part !== null; part = next) {
      const isOther = part.name !== '#text' && fontOf(part) !== null;
      next = isOther ? after(part, node) : following(part, node);
      if (part.name !== '#text' || [...part.text.trim()].length > maxSigns) continue;
      // The fonts have their signs in a private area, too, where some programs write them.
      const shown = part.text.replace(/[\u0021-\u00ff\uf021-\uf0ff]/g, (sign) => {
        return table.get(String.fromCharCode(sign.charCodeAt(0) & 0xff)) ?? sign;
      });
      if (shown === part.text) continue;
      remove(textNode(wordAround(node, part.text)));
      part.text = shown;
    }
  },
};

function fontOf(node: SourceNode): string | null {
  const written = /(?:^|;)\s*(?:mso-symbol-)?font-family\s*:\s*["']?([a-z][\w ]*)/i.exec(
    attribute(node, 'style') ?? '',
  )?.[1];
  return (written ?? attribute(node, 'face'))?.trim().toLowerCase() ?? null;
}

/** A text with the letters directly beside its element, which were one word with it. */
function wordAround({ previous, next }: SourceNode, text: string): string {
  const before = /[\p{L}\p{N}]*$/u.exec(previous?.text ?? '')?.[0] ?? '';
  return before + text + (/^[\p{L}\p{N}]*/u.exec(next?.text ?? '')?.[0] ?? '');
}
