import { keyForNext, type Situation } from '../situation.js';
import type { Step } from './step.js';

/** A key is stored before a certificate for it is requested, because each generated key differs. */
export function storedKey(situation: Situation): Step | undefined {
  if (keyForNext(situation) !== undefined) return undefined;
  const { privateKey } = situation.polled;
  return privateKey?.known ? { act: 'storeKey', key: privateKey.value.key } : { act: 'wait' };
}
