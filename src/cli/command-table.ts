import type { CommandModule } from 'yargs';
import { articleCommand } from './commands/article.ts';
import { buildCommand } from './commands/build.ts';
import { categoryCommand } from './commands/category.ts';
import { configCommand } from './commands/config.ts';
import { feedCommand } from './commands/feed.ts';
import { initCommand } from './commands/init.ts';
import { keysCommand } from './commands/keys.ts';
import { previewCommand } from './commands/preview.ts';
import { pullCommand } from './commands/pull.ts';
import { pushCommand } from './commands/push.ts';
import { searchCommand } from './commands/search.ts';
import { serveCommand } from './commands/serve.ts';
import { sourceCommand } from './commands/source.ts';
import { statsCommand } from './commands/stats.ts';
import { templatesCommand } from './commands/templates.ts';
import { verifyCommand } from './commands/verify.ts';

/** Every command of the program. A module here is light: its handler imports what it runs. */
export const commands: readonly CommandModule[] = [
  initCommand as CommandModule,
  buildCommand as CommandModule,
  previewCommand as CommandModule,
  configCommand as CommandModule,
  templatesCommand as CommandModule,
  verifyCommand as CommandModule,
  feedCommand as CommandModule,
  serveCommand as CommandModule,
  pushCommand as CommandModule,
  pullCommand as CommandModule,
  keysCommand as CommandModule,
  sourceCommand as CommandModule,
  articleCommand as CommandModule,
  categoryCommand as CommandModule,
  searchCommand as CommandModule,
  statsCommand as CommandModule,
];
