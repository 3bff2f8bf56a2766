import { fingerprint } from '../../../../../src/fingerprint.js';
import type { KafkaNode } from '../nodes/nodes.js';
import { illnessOf, isBeyondAnswer, isOutdated, membersIn, type Situation } from './situation.js';
import { type Step, wait } from './step.js';

/** A hook in the status: its name and the broker. */
export interface OpenHook {
  readonly hook: 'preRestart' | 'postRestart';
  readonly node: KafkaNode;
}

/**
 * Holds the restart of a broker until the status has it, and until its hook `preRestart` has ended. Undefined if the
 * restart may begin.
 */
export function restartHold(node: KafkaNode, situation: Situation): Step | undefined {
  if (node.role !== 'broker' || !isAnnounced(node, situation)) return undefined;
  const { restart } = situation;
  if (!restart || !isAbout(node, situation)) {
    const why = `${node.name} is restarted next${interruption(node, situation)}`;
    return { act: 'wait', concern: 'update', why, announces: node };
  }
  if (openHook(situation)?.hook !== 'preRestart') return undefined;
  return wait('update', `${node.name} is restarted when the hook preRestart has succeeded, or after hooks.deadline`);
}

/** Waits for the hook `postRestart` of a broker that serves again, before another node is replaced. */
export function postRestart(situation: Situation): Step | undefined {
  const open = openHook(situation);
  if (open?.hook !== 'postRestart') return undefined;
  return wait('update', `no node is replaced before the hook postRestart of ${open.node.name} has ended`);
}

/** The hook that has to run now. Its end is in the status. */
export function openHook(situation: Situation): OpenHook | undefined {
  const { restart, hooks } = situation;
  const node = membersIn(situation).find(({ name, pod }) => name === restart?.node && pod === 'there');
  if (!restart || !hooks || !node) return undefined;
  if (hooks.preRestart && restart.preRestart === 'Running' && isAbout(node, situation) && isOutdated(node, situation))
    return { hook: 'preRestart', node };
  if (!hooks.postRestart || stateOf(node) !== restart.target) return undefined;
  if (restart.postRestart === 'Running') return { hook: 'postRestart', node };
  const serves = illnessOf(node, situation) === undefined && !isBeyondAnswer(node, situation);
  return restart.postRestart === 'Pending' && serves && situation.cluster ? { hook: 'postRestart', node } : undefined;
}

/** True if the record of the status is about the restart that is due, or about the one that brought this state. */
export function isAbout(node: KafkaNode, situation: Situation): boolean {
  const { restart } = situation;
  return restart?.node === node.name && restart.target === targetOf(node, situation);
}

/** Restarts without hooks that interrupt nothing are not recorded. */
function isAnnounced(node: KafkaNode, situation: Situation): boolean {
  const { hooks, cluster } = situation;
  return hooks?.preRestart === true || hooks?.postRestart === true || (cluster?.load[node.id]?.unavoidable ?? 0) > 0;
}

/** Partitions that have no replica to spare, as the end of a sentence. */
export function interruption({ id }: KafkaNode, { cluster }: Situation): string {
  const { unavoidable = 0, blockingNames = [] } = cluster?.load[id] ?? {};
  if (unavoidable === 0) return '';
  const more = unavoidable > blockingNames.length ? ` and ${unavoidable - blockingNames.length} more` : '';
  return `, which interrupts partitions without a replica to spare: ${blockingNames.join(', ')}${more}`;
}

/** Identifies the desired state of a Pod. */
export function targetOf({ group, reachable }: KafkaNode, { groups }: Situation): string {
  return stateText(groups.find(({ name }) => name === group)?.revision ?? '', reachable);
}

function stateOf({ revision = '', advertised, reachable }: KafkaNode): string {
  return stateText(revision, reachable === undefined ? undefined : advertised);
}

function stateText(revision: string, addresses: string | undefined): string {
  return addresses === undefined ? revision : `${revision}-${fingerprint(addresses)}`;
}
