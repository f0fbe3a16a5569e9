import { type compile, type Options, parse, postprocess, preprocess } from 'micromark';

/** Input of micromark's compiler. */
type Events = Parameters<ReturnType<typeof compile>>[0];

/**
 * Parses Markdown; `null` if that takes too much work. micromark takes quadratic time for some texts, so the characters it reads and the
 * events it visits again are counted. The limits fit about 10,000 marks in one paragraph.
 */
export function parseBounded(
  markdown: string,
  extensions: NonNullable<Options['extensions']>,
): Events | null {
  // Containers in each other are entered again at every mark, before a construct could count them.
  if (deepLine.test(markdown)) return null;
  const parser = parse({ extensions });
  let left = maxWork + 20 * markdown.length;
  boundParser(parser, (work) => {
    left -= work;
    if (left < 0) throw tooMuchWork;
  });
  try {
    const events = postprocess(parser.document().write(preprocess()(markdown, undefined, true)));
    return isCompilable(events) ? events : null;
  } catch (error) {
    if (error !== tooMuchWork) throw error;
    return null;
  }
}

const tooMuchWork = new Error('parsing takes too much work');

const maxWork = 200_000_000;
/** Maximum depth of quotations and lists in each other. */
const maxDepth = 100;
/** A line that starts with more marks of quotations and items than that. A row of one mark alone is a line across the page. */
const deepLine = new RegExp(
  String.raw`^(?![ \t]*(?:-[ \t]*)+$|[ \t]*(?:\*[ \t]*)+$)(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])){${maxDepth + 1}}`,
  'm',
);
/** Maximum number of table cells, including those that complete short rows. */
const maxCells = 500_000;

type Parser = ReturnType<typeof parse>;
type Context = ReturnType<Parser['document']>;
type Construct = Extract<NonNullable<Parser['constructs']['text']>[number], { tokenize: unknown }>;
type Effects = Parameters<Construct['tokenize']>[0];

/** Constructs that visit all earlier events of their text or flow, to find their start or when it ends, with the cost of a visit. */
const visitCosts: ReadonlyMap<string, number> = new Map([
  ['attention', 1],
  ['strikethrough', 1],
  ['labelStartLink', 1],
  ['labelStartImage', 1],
  ['labelEnd', 1],
  ['gfmFootnoteCall', 1],
  ['gfmPotentialFootnoteCall', 1],
  ['setextUnderline', 2],
  ['definition', 1],
]);

function boundParser(parser: Parser, spend: (work: number) => void): void {
  const counted = new WeakSet<Effects>();
  /** Characters that a construct reads in vain are read again. */
  const countCharacters = (effects: Effects): void => {
    if (counted.has(effects)) return;
    counted.add(effects);
    const { consume } = effects;
    effects.consume = (code) => {
      spend(5);
      consume(code);
    };
  };
  const { constructs, flow: createFlow } = parser;
  /** Definitions are searched one by one. */
  const countDefined = (): number =>
    parser.defined.length +
    ((parser as { readonly gfmFootnotes?: readonly string[] }).gfmFootnotes?.length ?? 0);
  const count = (construct: Construct): Construct => ({
    ...construct,
    tokenize(effects, ok, nok) {
      countCharacters(effects);
      const { events } = this;
      spend((events.length + countDefined()) * (visitCosts.get(construct.name ?? '') ?? 0));
      // A text that is in pieces before this construct is joined later, which moves all events after it.
      const isInPieces = [-1, -3].every((at) => events.at(at)?.[1].type === 'data');
      const found: typeof ok = (code) => {
        spend(events.length / 2);
        return ok(code);
      };
      return construct.tokenize.call(this, effects, isInPieces ? found : ok, nok);
    },
  });
  let flow: Context | undefined;
  parser.flow = (from) => {
    flow = createFlow(from);
    return flow;
  };
  replaceEach(constructs.text, count);
  replaceEach(constructs.flow, count);
  replaceEach(constructs.contentInitial, count);
  let line = 0;
  let attempts = 0;
  replaceEach(constructs.document, ({ continuation, ...construct }) => ({
    ...construct,
    tokenize(effects, ok, nok) {
      const now = this.now();
      attempts = now.line === line ? attempts + 1 : 1;
      line = now.line;
      // The containers around it are copied.
      spend(10 * attempts + countDefined());
      return construct.tokenize.call(this, effects, ok, nok);
    },
    ...(continuation !== undefined && {
      continuation: {
        ...continuation,
        tokenize(effects, ok, nok) {
          spend(10);
          return continuation.tokenize.call(this, effects, ok, (code) => {
            // The line may continue a paragraph; then all events of its container are visited.
            spend(10 * (flow?.events.length ?? 0));
            return nok(code);
          });
        },
      } satisfies Construct,
    }),
  }));
}

/** Replaces every construct of a record, in all its lists. */
function replaceEach(
  record: Parser['constructs']['text'],
  replace: (construct: Construct) => Construct,
): void {
  for (const [code, list] of Object.entries(record ?? {})) {
    if (record === undefined || list === undefined) continue;
    record[code] = (Array.isArray(list) ? list : [list]).map(replace);
  }
}

/** Whether the compiler takes linear time: it copies the content of quotations, and completes the rows of tables. */
function isCompilable(events: Events): boolean {
  let depth = 0;
  let columns = 0;
  let cells = 0;
  for (const [kind, token] of events) {
    // The types of the table extension are not known here.
    const type: string = token.type;
    if (/^(?:blockQuote|list(?:Ordered|Unordered))$/.test(type)) depth += kind === 'enter' ? 1 : -1;
    if (kind === 'exit') continue;
    if (type === 'table') columns = (token as { _align?: readonly unknown[] })._align?.length ?? 0;
    else if (type === 'tableRow') cells += columns;
    if (depth > maxDepth || cells > maxCells) return false;
  }
  return true;
}
