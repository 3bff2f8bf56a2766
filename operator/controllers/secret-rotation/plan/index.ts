import type { Situation } from '../situation.js';
import { adoption, publication } from './adoption.js';
import { renewal } from './renewal.js';
import { retirement } from './retirement.js';
import type { Step } from './step.js';
import { workingCredential } from './working-credential.js';

export type { Step, Wait } from './step.js';

/** Order of safety: the credential works, each consumer has it, the earlier login ends, and only then a new one starts. */
const rules = [workingCredential, publication, adoption, retirement, renewal];

/** The next step. The first one that is due counts, and none is taken on what is unknown. */
export function stepOf(situation: Situation): Step {
  for (const rule of rules) {
    const step = rule(situation);
    if (step) return step;
  }
  return { does: 'rest', until: situation.since + situation.every };
}
