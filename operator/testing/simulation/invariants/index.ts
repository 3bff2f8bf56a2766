import { additions } from './additions.js';
import { pruning, readiness } from './applied-objects.js';
import { economy } from './economy.js';
import { externalCleanup, repeatedCalls } from './external-calls.js';
import type { InvariantOf } from './invariant.js';
import { undoing } from './reverts.js';
import { strangers } from './strangers.js';
import { term } from './term.js';

/** The invariants that hold at all times. Add yours here. */
export const invariants: readonly InvariantOf[] = [
  term,
  strangers,
  additions,
  pruning,
  readiness,
  undoing,
  economy,
  repeatedCalls,
  externalCleanup,
];
