import { stackOf } from './errors.js';

const frame = /^\s+at (?:async )?(?:.*? \()?((?:file:\/\/)?\/.*?):(\d+):(\d+)\)?$/gm;

/** A line of somebody's code. */
export interface CodePlace {
  /** An absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Where in its author's code something was thrown, the libraries left out; undefined where that is not known. */
export function codePlaceOf(error: unknown): CodePlace | undefined {
  for (const [, where = '', line, column] of (stackOf(error) ?? '').matchAll(frame)) {
    const file = where.startsWith('file:') ? decodeURIComponent(new URL(where).pathname) : where;
    if (!file.includes('/node_modules/')) return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
}
