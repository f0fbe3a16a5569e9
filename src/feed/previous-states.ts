import type { LanguageTag } from '../model.ts';
import type { DocumentState } from './document-state.ts';

interface KnownDocument {
  readonly state: DocumentState;
  /** It was noted in this run, too. */
  isThere: boolean;
}

/**
 * The documents of the previous run, read in step with this one: those of articles between the last that is done and the
 * furthest that was asked for are in memory, and no others. Articles are those of both runs, sorted by id.
 */
export class PreviousStates {
  private readonly sources: { readonly states: Iterator<DocumentState>; next: DocumentState | undefined }[];
  /** By article, sorted by id. */
  private readonly window = new Map<string, KnownDocument[]>();
  private done = '';

  /** @param sources each sorted by article id; several hold different languages */
  constructor(sources: readonly Iterator<DocumentState>[]) {
    this.sources = sources.map((states) => ({ states, next: take(states) }));
  }

  /** The document of an article that is not done. */
  find(articleId: string, language: LanguageTag): DocumentState | undefined {
    return this.lookUp(articleId, language)?.state;
  }

  /**
   * Notes that the document is there in this run, too.
   * @returns documents of articles before it that were not noted: they are gone
   */
  note(articleId: string, language: LanguageTag): readonly DocumentState[] {
    const known = this.lookUp(articleId, language);
    if (known !== undefined) known.isThere = true;
    if (articleId === this.done) return [];
    this.done = articleId;
    const gone: DocumentState[] = [];
    for (const [id, documents] of this.window) {
      if (id >= articleId) break;
      this.window.delete(id);
      for (const { state, isThere } of documents) if (!isThere) gone.push(state);
    }
    return gone;
  }

  /** All that were not noted and not given back yet. */
  *rest(): Generator<DocumentState> {
    while (this.window.size > 0 || this.pull()) {
      for (const [id, documents] of this.window) {
        this.window.delete(id);
        for (const { state, isThere } of documents) if (!isThere) yield state;
      }
    }
  }

  private lookUp(articleId: string, language: LanguageTag): KnownDocument | undefined {
    if (articleId < this.done) throw new Error(`${articleId} comes after ${this.done}, which is done`);
    while (this.nextArticle() <= articleId) this.pull();
    return this.window.get(articleId)?.find(({ state }) => state.language === language);
  }

  /** Id of the first article that is not in the window; after the last one, what sorts behind every id. */
  private nextArticle(): string {
    let first = behindAll;
    for (const { next } of this.sources)
      if (next !== undefined && next.articleId < first) first = next.articleId;
    return first;
  }

  /** Moves the documents of one article into the window; `false` when there are no more. */
  private pull(): boolean {
    const articleId = this.nextArticle();
    const documents: KnownDocument[] = [];
    for (const source of this.sources) {
      for (; source.next?.articleId === articleId; source.next = take(source.states)) {
        documents.push({ state: source.next, isThere: false });
      }
    }
    if (documents.length > 0) this.window.set(articleId, documents);
    return documents.length > 0;
  }
}

/** No id has such a character. */
const behindAll = '\uffff';

function take(states: Iterator<DocumentState>): DocumentState | undefined {
  const { value, done } = states.next();
  return done === true ? undefined : value;
}
