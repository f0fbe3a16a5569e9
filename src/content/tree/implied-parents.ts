import { contentModels } from '../policy/content-model.ts';
import { CleanElement } from './clean-tree.ts';

/** Makes the parents an author left out: lists hold items only, and items stand in lists. */
export class ImpliedParents {
  /** Every element made here. */
  readonly elements: CleanElement[] = [];

  /** Where an element of this tag (or `#text`) in `parent` really goes. */
  hostFor(parent: CleanElement, tag: string): CleanElement {
    const holds = contentModels.get(parent.tag)?.holds ?? 'flow';
    const isItem = tag === 'li';
    const isTerm = tag === 'dt' || tag === 'dd';
    if ((isItem && holds === 'items') || (isTerm && holds === 'terms')) return parent;
    let host = parent;
    if (holds === 'items') host = this.imply(parent, 'li', tag === '#text');
    else if (holds === 'terms') host = this.imply(parent, 'dd', tag === '#text');
    if (isItem) return this.imply(host, 'ul', true);
    return isTerm ? this.imply(host, 'dl', true) : host;
  }

  /** The last child of `parent` if it is a `tag` (made here before, if `onlyImplied`), else a new one. */
  private imply(parent: CleanElement, tag: string, onlyImplied: boolean): CleanElement {
    const last = parent.children.at(-1);
    if (last instanceof CleanElement && last.tag === tag && (last.isImplied || !onlyImplied)) return last;
    const element = new CleanElement(tag, '', null);
    element.isImplied = true;
    this.elements.push(element);
    parent.children.push(element);
    return element;
  }
}
