/** Acts on items with up to `ahead` of them under way, and gives the results in the order of the items. */
export async function* readAhead<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  ahead: number,
  act: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const underWay: Promise<Result>[] = [];
  for await (const item of items) {
    const result = act(item);
    // A failure is met when its turn comes; until then it must not count as unhandled.
    result.catch(() => {});
    underWay.push(result);
    const first = underWay.length > ahead ? underWay.shift() : undefined;
    if (first !== undefined) yield await first;
  }
  for (const result of underWay) yield await result;
}
