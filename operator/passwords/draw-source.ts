import { randomInt } from 'node:crypto';
import type { DrawAnswer, DrawQuestion } from './draw.js';

/** Characters that need no escaping in a URI, in SQL, in YAML or in a shell. */
const charsets: Readonly<Record<DrawQuestion['charset'], string>> = {
  Alphanumeric: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  Hex: '0123456789abcdef',
};

/** Draws random values. It stores nothing. */
export async function drawSource({ keys, length, charset }: DrawQuestion): Promise<DrawAnswer> {
  return Object.fromEntries(keys.map((key) => [key, randomText(length, charset)]));
}

/** A text of random characters. @param length number of characters */
export function randomText(length: number, charset: DrawQuestion['charset'] = 'Alphanumeric'): string {
  const characters = charsets[charset];
  return Array.from({ length }, () => characters[randomInt(characters.length)]).join('');
}
