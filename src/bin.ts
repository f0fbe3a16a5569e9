#!/usr/bin/env node
import { run } from './cli/run.ts';

process.exitCode = await run(process.argv.slice(2));
// What a signal stopped may still have requests and timers open.
if (process.exitCode > 128) process.exit();
