import type { KafkaClusterResource } from '../../../../../imports/index.js';
import { type HookProgress, sentence } from '../../../../members/index.js';
import type { CallState, Mark } from '../../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import type { Step } from '../plan/index.js';
import type { Situation } from '../situation.js';

/** The reason and message of a condition. */
export type ConditionMark<Type extends keyof typeof conditions> = Mark<
  Extract<keyof (typeof conditions)[Type], string>
>;

/** Input of the functions that derive conditions. */
export interface Observation {
  readonly resource: KafkaClusterResource;
  readonly situation: Situation;
  readonly steps: readonly Step[];
  /** How far the call of the plan got. */
  readonly call: CallState;
  /** How far the running hook got. Undefined without one. */
  readonly hook: HookProgress | undefined;
  /** The API server has TLSRoutes. */
  readonly hasRoutes: boolean;
  /** Why an object of the KafkaCluster cannot be written. */
  readonly blocker?: string | undefined;
}

/** The condition of a cluster whose brokers do not answer. */
export function unreachable(silence: string | undefined) {
  return { reason: 'BrokersUnreachable' as const, ...(silence && { message: sentence(silence) }) };
}

/** The names in a message. */
const most = 5;
/** Characters of a name in a message. */
const longest = 64;

/** Names for a message. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, most).map((name) => (name.length > longest ? `${name.slice(0, longest)}…` : name));
  const more = names.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
