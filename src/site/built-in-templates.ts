import { fileURLToPath } from 'node:url';

/** Folder of the theme that comes with the package. */
export const builtInTemplates = fileURLToPath(new URL('../../templates', import.meta.url));
