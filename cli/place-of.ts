import { relative } from 'node:path';
import { codePlaceOf } from '../operator/runtime/code-place.js';

/** Where in its author's code something was thrown, as a line to put behind a message; empty where that is not known. */
export function placeOf(error: unknown): string {
  const place = codePlaceOf(error);
  return place ? `\n  at ${relative('', place.file)}:${place.line}:${place.column}` : '';
}
