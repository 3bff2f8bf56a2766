import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const frame = /(file:\/\/.*):(\d+):(\d+)\)?$/gm;

/** Where in its author's code something was thrown, as a line to put behind a message; empty where that is not known. */
export function placeOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  for (const [, url = '', line, column] of stack.matchAll(frame)) {
    if (!url.includes('/node_modules/')) return `\n  at ${relative('', fileURLToPath(url))}:${line}:${column}`;
  }
  return '';
}
