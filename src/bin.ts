#!/usr/bin/env node
import { run } from './cli/run.ts';

process.exitCode = await run(process.argv.slice(2));
// After a signal, requests and timers may still be open.
if (process.exitCode > 128) process.exit();
