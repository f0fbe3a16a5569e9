/** What is between the name of a tag and its end, as far as HTML allows it. */
const attributes = '(?:\\s+[^\\s"\'<>/=]+(?:\\s*=\\s*(?:"[^"]*"|\'[^\']*\'|[^\\s"\'=<>`]+))?)*\\s*';

/** The end of a player, its start with its sources, and what may contain the text of one: a script, and the attributes of another tag. */
const tag = new RegExp(
  '</(iframe|video|audio|object)(?=[\\s/>])|' +
    `<(iframe|video|audio|object)(${attributes})(/?)>((?:\\s*<(?:source|track|param)${attributes}/?>)*)|` +
    `<script(?=[\\s>])(?:(?!</?script[\\s>])[\\s\\S])*|<[a-z][\\w:-]*${attributes}/?>`,
  'gi',
);

/**
 * Ends each player that closes itself, as in XML and JSX (`<iframe src="…" />`), and each that has no end, behind its sources. A browser takes
 * everything after it for its content, which is for browsers that cannot play it.
 */
export function endPlayers(body: string): string {
  if (!/<(?:iframe|video|audio|object)[\s/>]/i.test(body)) return body;
  const lastEnds = new Map<string, number>();
  for (const { 1: name, index } of body.matchAll(tag))
    if (name !== undefined) lastEnds.set(name.toLowerCase(), index);
  return body.replace(
    tag,
    (all, _end, name: string | undefined, inside: string, slash: string, sources: string, index: number) => {
      if (name === undefined) return all;
      if (slash !== '') return `<${name}${inside}></${name}>${sources}`;
      return index < (lastEnds.get(name.toLowerCase()) ?? -1) ? all : `${all}</${name}>`;
    },
  );
}
