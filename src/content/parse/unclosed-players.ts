/** The start of a player, as far as it has attributes that HTML allows, and its end. */
const tag =
  /<\/(iframe|video|audio|object)(?=[\s/>])|<(iframe|video|audio|object)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*(\/?))>/gi;

/**
 * Ends each player that closes itself, as in XML and JSX (`<iframe src="…" />`), and each that has no end. A browser takes everything after it for
 * its content, which is for browsers that cannot play it.
 */
export function endPlayers(body: string): string {
  if (body.search(tag) < 0) return body;
  const lastEnds = new Map<string, number>();
  for (const { 1: name, index } of body.matchAll(tag))
    if (name !== undefined) lastEnds.set(name.toLowerCase(), index);
  return body.replace(
    tag,
    (all, _end, name: string | undefined, attributes: string, slash: string, index: number) => {
      const isEnded =
        name === undefined || (slash === '' && index < (lastEnds.get(name.toLowerCase()) ?? -1));
      return isEnded ? all : `<${name}${attributes.slice(0, attributes.length - slash.length)}></${name}>`;
    },
  );
}
