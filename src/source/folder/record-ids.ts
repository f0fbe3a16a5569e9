import { formatYaml } from '../../core/yaml.ts';

/** Ids of records that are to be replaced: `article 4fq8d7s2ka` → new id. */
export type NewIds = ReadonlyMap<string, string>;

export type RecordKind = 'article' | 'category';

/** A link to a record, at the start of a URL: another site may have a page with the same path. */
const link = /(?<![^\s"'(<=])\/(article|category)\/([A-Za-z0-9_-]+)/g;

const idFields: Readonly<Record<string, RecordKind>> = {
  article_id: 'article',
  category_id: 'category',
  parent_category_id: 'category',
};

/** Replaces ids in the links of a body, which is Markdown or HTML. */
export function replaceLinkIds(body: string, newIds: NewIds): string {
  if (newIds.size === 0) return body;
  return body.replace(link, (whole, kind: RecordKind, segment: string) => {
    const id = possibleIds(segment).find((one) => newIds.has(`${kind} ${one}`));
    if (id === undefined) return whole;
    return `/${kind}/${newIds.get(`${kind} ${id}`)}${segment.slice(id.length)}`;
  });
}

/** Replaces ids in a language file of a folder: in the fields of its front matter, and in the links of its body. */
export function replaceIds(file: string, newIds: NewIds): string {
  if (newIds.size === 0) return file;
  const end = endOfFrontMatter(file);
  const fields = file
    .slice(0, end)
    .replace(/^(article_id|(?:parent_)?category_id):[ \t]*(.*?)[ \t]*(?=\r?$)/gm, (whole, field, value) => {
      const id = newIds.get(`${idFields[field]} ${unquoted(value)}`);
      return id === undefined ? whole : formatYaml({ [field]: id }).trimEnd();
    });
  return fields + replaceLinkIds(file.slice(end), newIds);
}

/**
 * The records that a language file names: in the fields of its front matter, or in links. A link ends with a slug that may look like a part of
 * the id, so there are several candidates for each link.
 */
export function listNamedIds(file: string): ReadonlySet<string> {
  const end = endOfFrontMatter(file);
  const fields = [
    ...file.slice(0, end).matchAll(/^(article_id|(?:parent_)?category_id):[ \t]*(.*?)[ \t\r]*$/gm),
  ];
  return new Set([
    ...[...file.slice(end).matchAll(link)].flatMap(([, kind, segment = '']) =>
      possibleIds(segment).map((id) => `${kind} ${id}`),
    ),
    ...fields.map(([, field = '', value = '']) => `${idFields[field]} ${unquoted(value)}`),
  ]);
}

/** `abc-d-e` → `abc-d-e`, `abc-d`, `abc`. */
function possibleIds(segment: string): readonly string[] {
  const parts = segment.split('-');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('-')).filter((id) => id !== '');
}

function endOfFrontMatter(file: string): number {
  return Math.max(file.indexOf('\n---', 3), 0);
}

function unquoted(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}
