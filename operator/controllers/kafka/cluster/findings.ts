import type { KafkaClusterResource } from '../../../../imports/index.js';
import { isKafkaController } from '../../../../src/index.js';
import type { CallState, Mark } from '../../../runtime/index.js';
import type { conditions } from './conditions.js';
import {
  type Concern,
  illnessOf,
  isOutdated,
  isVoter,
  membersIn,
  quorumIn,
  type Situation,
  type Step,
  stayingIn,
} from './plan/index.js';
import type { HookProgress } from './restarts/index.js';
import { finalizeAnnotation } from './view.js';
import { volumeProblem } from './volumes/volume-uses.js';

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

const stepOf = ({ steps }: Observation, ...concerns: readonly Concern[]) =>
  steps.find((step) => concerns.includes(step.concern));

/** Whether the desired nodes exist and run. */
export function provisionOf(seen: Observation): ConditionMark<'Provisioned'> {
  const { situation } = seen;
  const staying = stayingIn(situation);
  const problem = volumeProblem(situation);
  if (problem?.reason === 'VolumeNearlyFull') return problem;
  const lost = stepOf(seen, 'lost');
  if (lost) return { reason: 'NodeDeleted', message: lost.why };
  if (problem) return problem;
  const refused = staying.find(({ pod, claim }) => pod === 'none' && claim === 'there');
  if (refused && seen.blocker !== undefined)
    return { reason: 'NodeNotReady', message: `${refused.name} has no Pod: ${seen.blocker}` };
  const bad = staying.find(({ isReady, trouble }) => !isReady && trouble !== undefined);
  if (bad) return { reason: 'NodeNotReady', message: `${bad.name}: ${bad.trouble}` };
  const unreachable = addressFault(seen);
  if (unreachable !== undefined) return { reason: 'AddressPending', message: unreachable };
  const waiting = staying.filter(({ isReady }) => !isReady).map(({ name }) => name);
  const isMissing = situation.groups.some(
    ({ name, replicas }) => staying.filter(({ group }) => group === name).length < replicas,
  );
  const { missingCertificates = [] } = situation;
  if (missingCertificates.length > 0) {
    const message = `Waiting for the certificates in ${missingCertificates.join(', ')}; no node starts without them`;
    return { reason: 'Provisioning', message };
  }
  const observers = observersOf(situation);
  if (waiting.length === 0 && observers.length > 0) {
    const message = `Waiting until ${observers.join(' and ')} can vote in the metadata quorum`;
    return { reason: 'Provisioning', message };
  }
  if (waiting.length === 0 && !isMissing) return { reason: 'NodesReady' };
  return waiting.length === 0
    ? { reason: 'Provisioning' }
    : { reason: 'Provisioning', message: `Waiting for ${waiting.join(', ')}` };
}

/** Controllers that run and cannot vote, so that the quorum survives the loss of fewer nodes than desired. */
function observersOf(situation: Situation): readonly string[] {
  if (!situation.cluster) return [];
  return stayingIn(situation)
    .filter((node) => isKafkaController(node) && !isVoter(node.id, situation))
    .map(({ name }) => name);
}

/** Why clients in other networks do not reach a broker. */
function addressFault({ situation, resource, hasRoutes }: Observation): string | undefined {
  const pending = stayingIn(situation).find(({ awaits }) => awaits !== undefined);
  if (pending) return `${pending.name} waits, because ${pending.awaits}`;
  const routed = resource.spec.listeners.find(({ external }) => external?.type === 'TlsRoute');
  if (hasRoutes || !routed) return undefined;
  return `Listener ${routed.name} has no routes, because the API server does not have TLSRoutes in gateway.networking.k8s.io/v1; install version 1.5 of the Gateway API or later`;
}

/** Whether clients can produce and consume. */
export function availabilityOf({ situation }: Observation): ConditionMark<'Available'> {
  const { cluster, silence, isBootstrapped } = situation;
  if (!cluster) return isBootstrapped ? unreachable(silence) : { reason: 'Initializing' };
  if (!quorumIn(situation)) return { reason: 'NoQuorum' };
  const { offline } = cluster.partitions;
  if (offline === 0) return { reason: 'Serving' };
  const message = `${offline} partitions have no leader, because all of their in-sync replicas are down; bring back a broker that has them`;
  return { reason: 'PartitionsOffline', message };
}

function unreachable(silence: string | undefined) {
  return { reason: 'BrokersUnreachable' as const, ...(silence && { message: sentence(silence) }) };
}

/** Whether all replicas have all records. */
export function replicationOf({ situation }: Observation): ConditionMark<'Replicated'> {
  const { cluster, silence, isBootstrapped } = situation;
  if (!cluster) return isBootstrapped ? unreachable(silence) : { reason: 'Initializing' };
  const { underMinIsr, underReplicated } = cluster.partitions;
  const down = membersIn(situation)
    .filter(({ role }) => role === 'broker')
    .flatMap((node) => illnessOf(node, situation) ?? []);
  const because = down.length === 0 ? '' : `: ${down.join('; ')}`;
  if (underMinIsr > 0)
    return {
      reason: 'BelowMinIsr',
      message: `${underMinIsr} partitions have fewer in-sync replicas than min.insync.replicas${because}`,
    };
  if (underReplicated > 0)
    return {
      reason: 'UnderReplicated',
      message: `${underReplicated} partitions have replicas that are not in sync${because}`,
    };
  return { reason: 'InSync' };
}

/** Whether every node runs the current spec. */
export function currencyOf(seen: Observation): ConditionMark<'UpToDate'> {
  const { situation, call } = seen;
  const config = stepOf(seen, 'config');
  if (config && call.state === 'failed' && call.kind === 'terminal')
    return {
      reason: 'PropertyRefused',
      message: `Kafka refuses a property: ${call.why}; correct or remove it in spec.config`,
    };
  const staying = stayingIn(situation);
  const old = staying.filter((node) => isOutdated(node, situation));
  const step = stepOf(seen, 'update');
  if (old.length === 0 && !step) {
    if (config) return { reason: 'RollingOut', message: sentence(config.why) };
    const { stale = [] } = situation.presented ?? {};
    if (stale.length === 0) return { reason: 'UpToDate' };
    return { reason: 'RollingOut', message: `${stale.join(', ')} load renewed certificates, without a restart` };
  }
  const left = `${staying.length - old.length} of ${staying.length} nodes run the current spec`;
  const bad = staying.find((node) => !node.isReady && node.trouble !== undefined && !isOutdated(node, situation));
  if (bad && step?.act === 'wait') return { reason: 'RolloutStalled', message: `${left}; ${bad.name}: ${bad.trouble}` };
  return { reason: 'RollingOut', message: [left, ...(step ? [step.why] : []), ...hookProblems(seen)].join('; ') };
}

/** Why the hook of a restart has not succeeded. */
function hookProblems({ hook, situation: { restart } }: Observation): readonly string[] {
  if (hook?.problem !== undefined) return [`the hook has not succeeded: ${hook.problem}`];
  const hooks = ['preRestart', 'postRestart'] as const;
  const expired = hooks.filter((one) => restart?.[one] === 'Expired');
  return expired.map((one) => `the hook ${one} of ${restart?.node} did not succeed within hooks.deadline`);
}

/** Whether replicas and votes are where the spec wants them. */
export function balanceOf(seen: Observation): ConditionMark<'Balanced'> {
  const { refusal, unknown } = seen.situation.drain ?? {};
  const election = stepOf(seen, 'unclean');
  if (!election && refusal !== undefined) return { reason: 'DrainRefused', message: sentence(refusal) };
  const step = election ?? stepOf(seen, 'removal', 'quorum', 'balance');
  // A broker that was drained and has left is often still named, which is no fault.
  if (!step) return { reason: 'Balanced', ...(unknown !== undefined && { message: sentence(unknown) }) };
  const message = sentence(step.why);
  if (step.act === 'wait' && step.isRefusal && step.concern === 'unclean')
    return { reason: 'ElectionRefused', message };
  if (step.act === 'wait' && step.isRefusal) return { reason: 'RemovalRefused', message };
  if (step.act === 'call' && seen.call.state === 'failed' && seen.call.kind !== 'unreachable')
    return { reason: 'RequestFailed', message: `${message}, but Kafka refuses it: ${seen.call.why}` };
  return { reason: 'Moving', message };
}

/** Whether the version is final. */
export function finalizationOf(seen: Observation, due: number | undefined): ConditionMark<'Finalized'> {
  const { situation, resource } = seen;
  const finalized = situation.cluster?.metadataVersion.finalized ?? resource.status?.metadataVersion;
  if (finalized === undefined) return { reason: 'Initializing' };
  const { version, finalize } = resource.spec;
  if (finalized >= situation.finalization.level) return { reason: 'Finalized' };
  const approved = resource.metadata.annotations?.[finalizeAnnotation];
  const isOther = approved !== undefined && approved !== version;
  const other = `annotation ${finalizeAnnotation} is ${JSON.stringify(approved?.slice(0, 32))}, which does not approve version ${version}`;
  const also = isOther ? `; ${other}` : '';
  if (finalize.policy === 'Manual' && due === undefined) {
    const message = `Version ${version} is finalized when you set the annotation ${finalizeAnnotation} to "${version}"; until then you can return to the earlier version${also}`;
    return { reason: 'ApprovalPending', message };
  }
  if (!isOther) return { reason: 'Soaking' };
  const message = `${sentence(other)}: set it to "${version}" to finalize now, or remove it; until the version is finalized, you can return to the earlier version`;
  return { reason: 'Soaking', message };
}

/** A reason as the message of a condition. */
function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
