import type { CodeStore, ReadFence } from './code.ts';

/** The syntax of a site generator beside GitHub-flavoured Markdown: a table of rules in a file of its own. */
export interface Markup {
  /** Replaces a page by the text that its front matter describes, or returns it unchanged. */
  readonly compose?: ((text: string, page: MarkupPage) => string) | undefined;
  /** Inserts parts from other files, also into code; called for inserted text too. */
  readonly include?: (text: string, page: MarkupPage) => string;
  /** Components of the generator; absent: its pages cannot contain any. */
  readonly components?: ComponentRules;
  /** Whether comments for writers are removed: those of HTML, `%%…%%`, and link definitions such as `[comment]: # (…)`. */
  readonly hasComments?: boolean;
  /** Marks around formulas; absent: it has none. */
  readonly math?: readonly MathMarks[];
  /** Changes text that is not code, before the rules for blocks. */
  readonly prepare?: (text: string, page: MarkupPage) => string;
  /** Rules for several lines; the first that matches is applied. */
  readonly blocks: readonly BlockRule[];
  /** Changes text that is not code, after the rules for blocks. */
  readonly inline?: (text: string, page: MarkupPage) => string;
  /** Syntax that must not be left in text that is not code. It is removed and reported. */
  readonly raw: readonly RegExp[];
  readonly readFence?: ReadFence;
}

/** Marks around formulas: `dollars` are `$…$` and `$$…$$`, `brackets` are `\(…\)` and `\[…\]`. */
export type MathMarks = 'dollars' | 'brackets';

/** A page while its syntax is converted. */
export interface MarkupPage {
  /** Relative to the root of the project; in an inserted part, that of the part. */
  readonly path: string;
  /** Folder of the pages, relative to the root of the project. */
  readonly tree: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly isMdx: boolean;
  readonly code: CodeStore;
  /** Paths in links by shortcode, which are searched by name; without fragment. */
  readonly refs: Set<string>;
  /**
   * Reports syntax that nobody can resolve; the caller removes it.
   * @param what without expressions and content, which readers must not see
   * @param start its first characters as written, to find the line; absent: `what`
   */
  unknown(what: string, start?: string): void;
  /**
   * Text of a file of the project, as the rule wants it; `null`, with a report, if there is none or the page has too many.
   * @param path relative to the root
   */
  part(path: string): string | null;
  /** The text of a part with its own parts. */
  within(path: string, text: string): string;
  /** Converts the lines inside a block. */
  convert(lines: readonly string[]): readonly string[];
}

/** Reads a block that starts at a line; `null` if none does. */
export type BlockRule = (lines: readonly string[], start: number, page: MarkupPage) => ReplacedBlock | null;

export interface ReplacedBlock {
  /** Index of its last line. */
  readonly last: number;
  /** What replaces it. */
  readonly lines: readonly string[];
}

/** A component in a page, with what can be read without running code. */
export interface Component {
  readonly name: string;
  /** Attributes whose value is literal: text, `true` for an attribute alone, numbers as text. */
  readonly props: ReadonlyMap<string, string | true>;
  /** Its content with the components replaced, without common indentation. */
  readonly inside: string;
  /** The components directly inside, as they were replaced. */
  readonly parts: readonly ReplacedComponent[];
}

export interface ReplacedComponent extends Component {
  readonly text: string;
}

/** Returns what replaces a component, as Markdown; `null` if its literal attributes are not enough. */
export type ComponentRule = (component: Component, page: MarkupPage) => string | null;

/** The components of a generator. */
export interface ComponentRules {
  /**
   * `mdx`: JSX with expressions in braces, in `.mdx` files only; `vue`: HTML with components and directives, in every file.
   */
  readonly syntax: 'mdx' | 'vue';
  /** Whether `.md` files are MDX too. */
  readonly isEveryFile?: boolean;
  readonly rules: Readonly<Record<string, ComponentRule>>;
  /** Names of components that replace part of a line. */
  readonly inline: readonly string[];
}
