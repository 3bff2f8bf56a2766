import { additions } from './additions.js';
import { pruning, readiness } from './applied.js';
import { economy } from './economy.js';
import type { InvariantOf } from './invariant.js';
import { strangers } from './strangers.js';
import { term } from './term.js';
import { undoing } from './undoing.js';

/** What holds at every moment; add yours here. */
export const invariants: readonly InvariantOf[] = [term, strangers, additions, pruning, readiness, undoing, economy];
