const value = String.raw`(?:"[^"\n]*"|'[^'\n]*'|[^\s{}"'=]+)`;
const attribute = String.raw`(?:[.#][^\s{}.#"'=]+|[A-Za-z_:][\w:.-]*=${value})`;
/** `{ .class #id key=value }`, `{: .class }`. */
const list = String.raw`\{:?[ \t]*${attribute}(?:[ \t]*${attribute}|[ \t]+[\w-]+)*[ \t]*\}`;

const alone = new RegExp(`^[ \\t]*${list}[ \\t]*(?:\\n|$)`, 'gm');
const attached = new RegExp(`^(.*\\S)?[ \\t]*${list}`, 'gm');
const anywhere = new RegExp(`[ \\t]*${list}`, 'g');
const id = /#([^\s{}.#"'=]+)/;

/** Removes attribute lists, which only style what is before them; a heading keeps its id. */
export function removeAttributes(text: string): string {
  return text.replace(alone, '').replace(attached, (line) => {
    const isHeading = /^ {0,3}#{1,6}[ \t]/.test(line);
    return line.replace(anywhere, (found) => {
      const name = isHeading ? id.exec(found.replace(/["'][^"']*["']/g, ''))?.[1] : undefined;
      return name === undefined ? '' : ` {#${name}}`;
    });
  });
}
