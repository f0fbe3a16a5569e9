/** A text that is not the JSON it should be; `offset` counts bytes from its beginning. */
export class JsonFault extends Error {
  readonly offset: number;
  /** The text ends too early: it may be whole the next time. */
  readonly isCut: boolean;

  constructor(message: string, offset: number, isCut = false) {
    super(message);
    this.offset = offset;
    this.isCut = isCut;
  }
}
