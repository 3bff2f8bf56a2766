import { fingerprint } from '../../../../../src/manifest/fingerprint.js';
import type { KafkaNode } from '../nodes/nodes.js';
import {
  illnessOf,
  isBeyondAnswer,
  isOutdated,
  membersIn,
  type RecordedRestart,
  restartCause,
  type Situation,
} from './situation.js';
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
  if (hooks.preRestart && isRunning(restart.preRestart) && isAbout(node, situation) && isOutdated(node, situation))
    return { hook: 'preRestart', node };
  if (!hooks.postRestart || !hasState(node, restart.target)) return undefined;
  if (isRunning(restart.postRestart)) return { hook: 'postRestart', node };
  const serves = illnessOf(node, situation) === undefined && !isBeyondAnswer(node, situation);
  return restart.postRestart === 'Pending' && serves && situation.cluster ? { hook: 'postRestart', node } : undefined;
}

/** True for a hook that runs, or that has failed while its time is not over. */
export function isRunning(state: RecordedRestart['postRestart']): boolean {
  return state === 'Running' || state === 'Failed';
}

/** True if the record of the status is about the restart that is due, or about the one that brought this state. */
export function isAbout(node: KafkaNode, situation: Situation): boolean {
  const { restart } = situation;
  if (restart?.node !== node.name) return false;
  return (
    restart.target === targetOf(node, situation) || (!isOutdated(node, situation) && hasState(node, restart.target))
  );
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

/** Identifies the desired state of a Pod, with its certificates if it restarts for them. */
export function targetOf(node: KafkaNode, situation: Situation): string {
  const { revision = '', certificates } = situation.groups.find(({ name }) => name === node.group) ?? {};
  const isForCertificates = restartCause(node, situation) !== undefined;
  return stateText(revision, node.reachable, isForCertificates ? certificates?.hash : undefined);
}

/** True if a Pod has the state that a target identifies. */
function hasState({ revision = '', advertised, reachable, certificates }: KafkaNode, target: string): boolean {
  const addresses = reachable === undefined ? undefined : advertised;
  return [undefined, certificates].some((hash) => stateText(revision, addresses, hash) === target);
}

function stateText(revision: string, addresses: string | undefined, certificates: string | undefined): string {
  const parts = [revision, addresses === undefined ? undefined : fingerprint(addresses), certificates];
  return parts.filter((part) => part !== undefined).join('-');
}
