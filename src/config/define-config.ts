import type { UserConfig } from './schema.ts';

/**
 * Gives a configuration file written in TypeScript or JavaScript its types; returns what it is given.
 * @example export default defineConfig({ baseUrl: 'https://kb.example.com/v1', site: { title: 'Help' } })
 */
export function defineConfig(config: UserConfig): UserConfig {
  return config;
}
