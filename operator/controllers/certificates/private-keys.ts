import { defaultKeySize } from '../../../crds/index.js';
import type { KeyKind } from '../../certificates/reading.js';

/** The kind of a private key in a spec. */
export function keyKindIn({ algorithm, size }: KeyKind): KeyKind {
  const bits = size ?? defaultKeySize[algorithm];
  return bits === undefined ? { algorithm } : { algorithm, size: bits };
}
