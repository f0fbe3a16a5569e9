import { linkSync, lstatSync, mkdirSync, readFileSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { fileListPath } from '../src/output/file-list.ts';
import { foldersOf } from '../src/output/file-operations.ts';

/**
 * `node new-tree.js OUTPUT`: replaces an output by an equal one, and nothing else. These are the system calls of every edit, as long as nobody may see half a
 * site: look whether each file and folder is as it was published, link the files into a new tree, and remove the old one.
 */
const [out = ''] = process.argv.slice(2);
const [made, old] = [`${out}.new`, `${out}.old`];
const list = readFileSync(`${out}/${fileListPath}`, 'utf8').trimEnd().split('\n').slice(0, -2);
const files = [...list.map((line) => line.replace(/^\S+ {2}/, '')), fileListPath];
const folders = [...foldersOf(files)];
for (const path of [...files, ...folders]) lstatSync(`${out}/${path}`);
for (const folder of folders) mkdirSync(`${made}/${folder}`);
for (const path of files) linkSync(`${out}/${path}`, `${made}/${path}`);
renameSync(out, old);
renameSync(made, out);
for (const path of files) unlinkSync(`${old}/${path}`);
for (const folder of folders.reverse()) rmdirSync(`${old}/${folder}`);
