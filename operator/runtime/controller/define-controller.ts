import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import { longestVisibleWithin, type Port, refuseSameNames, visibleWithinOf } from '../ports/external-port.js';
import type { ConditionSet } from './conditions.js';
import type { Assessment, Controller, ControllerProps } from './controller.js';
import type { CustomResource, OwnStatus } from './custom-resource.js';
import { patient } from './finalization.js';
import { withPodOwnerKind } from './owned-kinds.js';
import { ownedStatusOf, reportsElsewhere, runtimeConditions } from './owned-status.js';
import { type PollBuilder, type Polls, poll, portUsesOf } from './polls.js';
import { rbacRulesOf } from './rbac-rules.js';
import { type Reads, type Refer, refer } from './reads.js';

/**
 * Defines a controller by two pure functions: `desire` renders what should exist, and `assess` reports how far it got.
 * The rest (watches, queue, writes, pruning, status, RBAC permissions) follows from the declaration.
 *
 * @throws {Error} if the declaration contradicts itself
 */
export function defineController<
  R extends CustomResource,
  const K extends ObjectKind,
  const V extends ConditionSet = ConditionSet,
  Q extends Reads = {},
  G extends Polls = {},
  const S extends ObjectKind = never,
  const F extends keyof OwnStatus<R> = keyof OwnStatus<R>,
  const O extends Extract<keyof V, string> = never,
  A extends Assessment<R, V, F, O> = Assessment<R, V, F, O>,
>(props: ControllerProps<R, K, V, Q, G, S, F, O, A>): Controller {
  const name = props.name ?? props.kind.kind.toLowerCase();
  for (const type of Object.keys(props.conditions)) {
    if (runtimeConditions.includes(type))
      throw new Error(`controller ${name}: condition ${type} is reserved for the runtime`);
  }
  refuseSilentAlarms(name, props.conditions);
  refuseTwice(name, props.owns);
  refuseFar({ ...props, name });
  refuseWatched(name, props.owns);
  const { informationalConditions = [], optionalConditions = [], watchesSiblings = [] } = props;
  const { finalizes = false, onSpecChange = 'restart' } = props;
  refuseLoose({ name, owns: props.owns, finalizes: finalizes !== false });
  if (props.foreignLeftovers && finalizes === false)
    throw new Error(`controller ${name}: foreignLeftovers are deleted before the finalizer is removed: set finalizes`);
  if (props.protects && finalizes === false)
    throw new Error(
      `controller ${name}: protected objects have its finalizer, which a deleted resource must remove: set finalizes`,
    );
  const isPrimary = props.secondaryFor === undefined;
  const { reportsTo = 'status' } = props;
  refuseMisreporting({ ...props, name });
  if (isPrimary && reportsTo === 'status') refuseMute(props.kind);
  const finalization = { ...patient, ...(typeof finalizes === 'object' && finalizes) };
  const reads: Reads = props.reads?.(refer as Refer<R>) ?? {};
  const polls: Polls = props.polls?.(poll as PollBuilder<R, K, Q, S>) ?? {};
  const { calls = [], optionalPolls = [] } = props;
  refuseSameNames(portUsesOf({ name, polls, calls }));
  if (calls.length > 0 && Object.keys(polls).length === 0)
    throw new Error(`controller ${name}: calls need polls that show their effects: declare polls`);
  refuseUnasked(name, optionalPolls, polls);
  for (const port of calls) refuseUnseen(name, port);
  const isOurs = reportsTo === 'status';
  const { keepsRevisions = props.kind.namespaced && isPrimary && isOurs ? 'whenRejected' : 'never' } = props;
  if (keepsRevisions !== 'never' && !props.kind.namespaced) {
    throw new Error(
      `controller ${name}: ${props.kind.kind} is cluster-scoped and cannot have revisions: set keepsRevisions to never`,
    );
  }
  const ownedStatus = ownedStatusOf(props, isPrimary);
  const derived = {
    name,
    reads,
    polls,
    optionalPolls,
    calls,
    reportsTo,
    watchesSiblings,
    isPrimary,
    ownedStatus,
    informationalConditions,
    optionalConditions,
    finalization,
    onSpecChange,
    keepsRevisions,
  };
  const controller = { ...props, ...derived, owns: withPodOwnerKind(props.owns), finalizes: finalizes !== false };
  return Object.freeze({ ...controller, rbacRules: rbacRulesOf(controller) }) as unknown as Controller;
}

/** @throws {Error} if it is not clear whether a condition is there only while something is wrong */
function refuseSilentAlarms(name: string, conditions: ConditionSet): void {
  for (const [type, reasons] of Object.entries(conditions)) {
    const all = Object.entries(reasons);
    const [silent] = all.filter(([, [, , action]]) => action === undefined);
    if (!silent || all.some(([, [status]]) => status !== 'True') || all.every(([, [, , action]]) => !action)) continue;
    const why = `condition ${type} has the status True alone, and an action for some of its reasons`;
    throw new Error(`controller ${name}: ${why}: add one to ${silent[0]}, or a reason that is not True`);
  }
}

/** @throws {Error} if an optional poll is none */
function refuseUnasked(name: string, optional: readonly string[] | 'all', polls: Polls): void {
  const unasked = optional === 'all' ? undefined : optional.find((poll) => !Object.hasOwn(polls, poll));
  if (unasked === undefined) return;
  const known = Object.keys(polls).join(', ') || 'none';
  throw new Error(`controller ${name}: optionalPolls has ${unasked}, which is no poll: name one of ${known}`);
}

/** @throws {Error} if the runtime cannot wait for the effects of a port */
function refuseUnseen(name: string, port: Port): void {
  const visibleWithin = visibleWithinOf(port);
  if (visibleWithin >= 0 && visibleWithin <= longestVisibleWithin) return;
  const rule = `must be milliseconds from 0 to ${longestVisibleWithin}`;
  throw new Error(`controller ${name}: port ${port.name}: visibleWithin: Invalid value: ${visibleWithin}: ${rule}`);
}

/** A kind whose schema lacks these fields would lose the status at each write, without an error. */
function refuseMute({ kind, statusFields }: ObjectKind): void {
  const missing = ['conditions', 'observedGeneration'].filter((field) => statusFields && !statusFields.includes(field));
  if (missing.length === 0) return;
  throw new Error(`the status of ${kind} has no ${missing.join(' and no ')}: add them to its schema`);
}

/** Groups that the API server itself serves, whose statuses belong to Kubernetes. */
const kubernetesGroup =
  /^([a-z]*|((flowcontrol|internal)\.apiserver|rbac\.authorization|[a-z]+registration|authentication|authorization|certificates|coordination|discovery|events|networking|node|resource|scheduling|storage)\.k8s\.io)$/;
const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Refuses a report that would overwrite the status of others, and options that need a status.
 * @throws {Error} that says what to change
 */
function refuseMisreporting(
  props: Pick<ControllerProps, 'reportsTo' | 'keepsRevisions'> & {
    readonly name: string;
    readonly kind: ObjectKind;
    readonly secondaryFor?: unknown;
    readonly selects?: unknown;
    readonly statusFields?: unknown;
  },
): void {
  const { name, kind, reportsTo } = props;
  const refuse = (why: string) => new Error(`controller ${name}: ${why}`);
  if (!reportsElsewhere(props)) {
    if (kubernetesGroup.test(kind.group))
      throw refuse(`the status of ${kind.kind} belongs to Kubernetes: set reportsTo to events or annotation`);
    if (props.selects) throw refuse('selects needs reportsTo events or annotation: use secondaryFor, or leave it out');
    return;
  }
  if (props.secondaryFor)
    throw refuse(`secondaryFor reports to the status, but reportsTo is ${reportsTo}: use selects`);
  if (props.statusFields) throw refuse(`statusFields must not be set, because reportsTo is ${reportsTo}: remove them`);
  if ((props.keepsRevisions ?? 'never') !== 'never')
    throw refuse(`keepsRevisions must be never, because reportsTo is ${reportsTo} and the spec belongs to others`);
  if (!label.test(name))
    throw refuse(`name must be a lower-case label of at most 63 characters, because reportsTo is ${reportsTo}`);
}

/** If a kind had two entries, one would hide the other. */
function refuseTwice(name: string, owns: readonly ObjectKind[]): void {
  const kinds = owns.map(groupKindOf);
  const twice = kinds.find((kind, index) => kinds.indexOf(kind) !== index);
  if (twice === undefined) return;
  const advice = `name it once, as crossNamespace(${twice.split('.')[0]}) if its objects may be in other namespaces too`;
  throw new Error(`controller ${name}: owns has ${twice} twice: ${advice}`);
}

/**
 * An owner reference does not reach beyond its namespace.
 * @throws {Error} if a shared object may be in another namespace
 */
function refuseFar({ name, kind, owns }: { name: string; kind: ObjectKind; owns: readonly ObjectKind[] }): void {
  const far = owns.find((owned) => owned.shared && kind.namespaced && (owned.crossNamespace || !owned.namespaced));
  if (!far) return;
  throw new Error(
    `controller ${name}: ${groupKindOf(far)} is shared, but may be in a namespace that no owner reference of a ${kind.kind} reaches: ` +
      'share only objects of the same namespace',
  );
}

/** Where a resource's objects are must not depend on the installation: after a change they would be left behind. */
function refuseWatched(name: string, owns: readonly ObjectKind[]): void {
  const kind = owns.find(({ namespaces }) => namespaces === 'watched');
  if (!kind) return;
  const advice = `list the namespaces in crossNamespace(${kind.kind}, […])`;
  throw new Error(`controller ${name}: ${groupKindOf(kind)} in owns is limited to watched namespaces: ${advice}`);
}

/** @throws {Error} if every deletion would leave objects behind, or if objects are owned in two ways */
function refuseLoose({
  name,
  owns,
  finalizes,
}: {
  name: string;
  owns: readonly ObjectKind[];
  finalizes: boolean;
}): void {
  const loose = owns.find((kind) => kind.withoutOwnerReference);
  if (loose && !finalizes) {
    throw new Error(
      `controller ${name}: ${groupKindOf(loose)} is without owner reference, so the garbage collector does not delete it: set finalizes`,
    );
  }
  const twofold = owns.find(
    (kind) => kind.withoutOwnerReference && (kind.crossNamespace || kind.shared || !kind.namespaced),
  );
  if (twofold)
    throw new Error(
      `controller ${name}: ${groupKindOf(twofold)} is without owner reference and also shared, cross-namespace or cluster-scoped: choose one`,
    );
}
