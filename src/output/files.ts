/** The one front door to fs-extra: the operations on whole trees the output stage needs. */
export { move, pathExists, remove } from 'fs-extra/esm';
