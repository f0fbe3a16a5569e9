import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findTool } from '../../support/tools.ts';

/**
 * Stand-ins for upload and container programs, which need accounts: they only check that their inputs exist. rsync and rclone are the real
 * ones if installed, as in CI; the server of the docs is a folder for them.
 */
const uploadTools = (['rsync', 'rclone'] as const).map((name) => ({ name, file: findTool(name) }));
const missingTools = uploadTools.filter(({ file }) => file === null);
const standIns = ['aws', 'docker', 'npm', ...missingTools.map(({ name }) => name)];

function toFolder(file: string): string {
  return `#!/usr/bin/env bash
args=()
for arg in "$@"; do
  case "$arg" in
    deploy@www.example.com:* | web:*) arg="$DOCS_PROJECT/.www/\${arg#*:/var/www/}" && mkdir -p "$arg" ;;
  esac
  args+=("$arg")
done
exec '${file}' "\${args[@]}"
`;
}

/**
 * Replaces `lectern` in a snippet: runs the packed program against the local service. The example URLs of the docs lead there; a command
 * that runs until stopped is ended after it prints its URL.
 */
const lectern = `#!/usr/bin/env bash
command=$1
args=()
for arg in "$@"; do
  case "$arg" in
    https://kb.example.com/v1) arg=$DOCS_BASE_URL ;;
    https://help.example.com/) arg=dist ;;
  esac
  args+=("$arg")
done
export LECTERN_API_KEY="$DOCS_API_KEY" LECTERN_BASE_URL="$DOCS_BASE_URL"
case "$command" in
  serve | preview) exec node "$(dirname "$0")/until-it-listens.mjs" "\${args[@]}" ;;
  mcp) [[ "$*" != *--port* ]] || exec node "$(dirname "$0")/until-it-listens.mjs" "\${args[@]}" ;;
esac
exec node "$DOCS_PROJECT/node_modules/.bin/lectern" "\${args[@]}"
`;

const untilItListens = `import { spawn } from 'node:child_process';
const args = process.argv.slice(2);
if (!args.includes('--port')) args.push('--port', '0');
const child = spawn(process.execPath, [process.env.DOCS_PROJECT + '/node_modules/.bin/lectern', ...args], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let listened = false;
child.stdout.once('data', () => {
  listened = true;
  child.kill();
});
child.once('close', () => {
  process.exitCode = listened ? 0 : 1;
});
`;

const npx = `#!/bin/sh
# npx netlify-cli, npx wrangler: the folder to upload must be there.
[ "$1" != lectern ] || { shift && exec lectern "$@"; }
for word in "$@"; do
  case "$word" in dist) test -f dist/index.html ;; esac
done
`;

const standIn = `#!/bin/sh
for word in "$@"; do
  case "$word" in dist | dist/*) test -e "$word" ;; esac || exit 1
done
`;

/** Writes the programs that snippets call to a folder at the start of PATH. */
export async function writePrograms(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const programs = new Map([
    ['lectern', lectern],
    ['until-it-listens.mjs', untilItListens],
    ['npx', npx],
    ...standIns.map((name) => [name, standIn] as const),
    ...uploadTools.flatMap(({ name, file }) => (file === null ? [] : [[name, toFolder(file)] as const])),
  ]);
  for (const [name, text] of programs) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  }
}
