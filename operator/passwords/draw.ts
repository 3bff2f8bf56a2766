import type { Port } from '../runtime/index.js';

/** The values that a credential needs. */
export interface DrawQuestion {
  /** The rotation and the credential that the values replace, so that another credential has other values. */
  readonly replaces: string;
  /** Number of characters of each value. */
  readonly length: number;
  readonly charset: 'Alphanumeric' | 'Hex';
  readonly keys: readonly string[];
}

/** Random values by their keys. */
export type DrawAnswer = Readonly<Record<string, string>>;

/** Draws random values. Each answer differs, so the controller stores it in a Secret before it uses it. */
export const draw: Port<DrawQuestion, DrawAnswer> = { name: 'reconstruct/draw' };
