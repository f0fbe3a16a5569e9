import type { LanguageTag } from '../foundation/model.ts';
import type { Plan } from '../plan/plan.ts';
import type { OldRecord, OldRecords } from './old-records.ts';
import type { RedirectRule } from './redirect-table.ts';

/** The addresses of the old help centre, one by one: they are many, and none is kept. */
export interface OldAddresses extends Iterable<RedirectRule> {
  /** Where an address leads, spelled as in the rule. */
  find(from: string): RedirectRule | undefined;
}

/**
 * Single addresses, for hosts that know no patterns: with the slugs the knowledge base has today and with none, sorted.
 * `/article/<id>` comes from the interface document, `/l/<lang>/…` from what help centres were seen to do.
 */
export function oldAddresses(records: OldRecords, plan: Plan): OldAddresses {
  const forms: readonly Form[] = [null, ...plan.languages.map(({ tag }) => tag)]
    .flatMap((language) =>
      (['article', 'category'] as const).map((kind) => {
        const place = language === null ? '' : `/l/${language}`;
        return { language, kind, folder: `${plan.basePath}${place}/${kind}/` };
      }),
    )
    .sort((a, b) => (a.folder < b.folder ? -1 : 1));
  return {
    *[Symbol.iterator]() {
      for (const form of forms) {
        if (form.kind === 'category') yield* categoryAddresses(records, form, plan);
        // Ids of articles are letters and digits, so that the sorted ids give sorted addresses, with and without slug.
        else for (const record of records.ofKind('article')) yield* addressesOf(record, form, plan);
      }
    },
    find(from) {
      const form = forms.find(({ folder }) => from.startsWith(folder));
      if (form === undefined) return undefined;
      const name = from.slice(form.folder.length);
      for (const id of form.kind === 'category' ? prefixes(name) : name.split('-', 1)) {
        const record = records.find(form.kind, id);
        const rule = record && addressesOf(record, form, plan).find((one) => one.from === from);
        if (rule !== undefined) return rule;
      }
      return undefined;
    },
  };
}

/** One of the ways the old help centre wrote addresses. */
interface Form {
  /** `null`: without a language. */
  readonly language: LanguageTag | null;
  readonly kind: OldRecord['kind'];
  /** What stands before the id. */
  readonly folder: string;
}

/** Sorted. Ids of categories may hold hyphens: one that is another's id and slug goes before it. */
function categoryAddresses(records: OldRecords, form: Form, plan: Plan): readonly RedirectRule[] {
  const byAddress = new Map<string, RedirectRule>();
  const rules = [...records.ofKind('category')].map((record) => addressesOf(record, form, plan));
  for (const [bare] of rules) if (bare !== undefined) byAddress.set(bare.from, bare);
  for (const rule of rules.flat()) if (!byAddress.has(rule.from)) byAddress.set(rule.from, rule);
  return [...byAddress.values()].sort((a, b) => (a.from < b.from ? -1 : 1));
}

/** What the id may be in `<id>[-<slug>]`, the longest first. */
function prefixes(name: string): readonly string[] {
  const parts = name.split('-');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('-'));
}

function addressesOf(
  { id, to, toByLanguage, slugs }: OldRecord,
  { language, folder }: Form,
  { defaultLanguage }: Plan,
): readonly RedirectRule[] {
  const target = language === null ? to : toByLanguage.get(language);
  if (target === undefined) return [];
  const slug =
    language === null ? (slugs.get(defaultLanguage) ?? slugs.values().next().value) : slugs.get(language);
  return [id, ...(slug === undefined ? [] : [`${id}-${slug}`])].map((name) => ({
    origin: 'old-address',
    from: folder + name,
    to: target,
    isPermanent: true,
  }));
}
