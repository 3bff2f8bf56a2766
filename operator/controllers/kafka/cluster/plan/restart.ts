import { fingerprint } from '../../../../../src/manifest/fingerprint.js';
import {
  hookToRun as hookToRunOf,
  isAbout as isAboutRestart,
  type MemberRestarts,
  postRestartHold,
  preRestartHold,
} from '../../../../members/index.js';
import { isBeyondAnswer, type KafkaNode } from '../nodes/nodes.js';
import { membersIn, type Situation } from '../situation.js';
import { illnessOf } from './health.js';
import { isOutdated, restartCause } from './outdated.js';
import type { Step } from './step.js';

/** A hook in the status: its name and the broker. */
export interface OpenHook {
  readonly hook: 'preRestart' | 'postRestart';
  readonly node: KafkaNode;
}

/** The restarts of a KafkaCluster, as their hooks see them. */
export function restartsIn(situation: Situation): MemberRestarts<KafkaNode> {
  const { hooks, restart, cluster } = situation;
  return {
    ...{ hooks, members: membersIn(situation), hasState },
    recorded: restart && { ...restart, member: restart.node },
    isOutdated: (node) => isOutdated(node, situation),
    targetOf: (node) => targetOf(node, situation),
    serves: (node) =>
      cluster !== undefined && illnessOf(node, situation) === undefined && !isBeyondAnswer(node, situation),
  };
}

/**
 * Holds the restart of a broker until the status has it, and until its hook `preRestart` has ended. Undefined if the
 * restart may begin.
 */
export function restartHold(node: KafkaNode, situation: Situation): Step | undefined {
  if (node.role !== 'broker' || !isAnnounced(node, situation)) return undefined;
  return preRestartHold(node, restartsIn(situation), interruption(node, situation));
}

/** Waits for the hook `postRestart` of a broker that serves again, before another node is replaced. */
export function postRestart(situation: Situation): Step | undefined {
  return postRestartHold(restartsIn(situation), 'node');
}

/** The hook that has to run now. Its end is in the status. */
export function openHook(situation: Situation): OpenHook | undefined {
  const open = hookToRunOf(restartsIn(situation));
  return open && { hook: open.hook, node: open.member };
}

/** True if the record of the status is about the restart that is due, or about the restart that brought this state. */
export function isAbout(node: KafkaNode, situation: Situation): boolean {
  return isAboutRestart(node, restartsIn(situation));
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
