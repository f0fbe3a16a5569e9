import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from '../foundation/schema.ts';
import { writeFile } from './write-record.ts';

const fileName = '.lectern-order.json';
const schema = z.object({ articles: z.array(z.string()), categories: z.array(z.string()) });

/** Names of sub-folders in the order of the service's lists, which records without `sort_order` follow. */
export type ListOrder = z.infer<typeof schema>;

/** The order a pull has left; `null` when that of the names is right, or the file is not to be read. */
export function readListOrder(root: string): ListOrder | null {
  try {
    return schema.safeParse(JSON.parse(readFileSync(join(root, fileName), 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}

/** Writes the order to the folder; there is no file where it is that of the names. */
export function writeListOrder(root: string, order: ListOrder): void {
  const isByName = [order.articles, order.categories].every((names) =>
    names.every((name, index) => index === 0 || (names[index - 1] as string) < name),
  );
  if (isByName) rmSync(join(root, fileName), { force: true });
  else writeFile(join(root, fileName), `${JSON.stringify(order, null, 2)}\n`);
}
