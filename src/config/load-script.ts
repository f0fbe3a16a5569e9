import { pathToFileURL } from 'node:url';

/**
 * Runs a JavaScript or TypeScript configuration file and gives its default export; a function is called.
 * Node 22.18 and newer run TypeScript themselves, older ones through jiti, which is loaded only then.
 */
export async function loadScript(path: string): Promise<unknown> {
  const exported = await importDefault(path);
  return typeof exported === 'function' ? await exported() : exported;
}

async function importDefault(path: string): Promise<unknown> {
  const isTypeScript = /\.[cm]?ts$/.test(path);
  const runsTypeScript = 'typescript' in process.features && Boolean(process.features.typescript);
  if (!isTypeScript || runsTypeScript) {
    try {
      const loaded = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
      return loaded.default;
    } catch (error) {
      // Of a mistake in the syntax, which keeps everything from running, Node does not say where it is.
      if (error instanceof SyntaxError) await importWithJiti(path);
      throw error;
    }
  }
  return importWithJiti(path);
}

async function importWithJiti(path: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  return createJiti(import.meta.url, { fsCache: false, moduleCache: false }).import(path, { default: true });
}
