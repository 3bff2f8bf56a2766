import type { Construct } from 'constructs';
import { type AddressFamily, LeaderLease, LeaderServices, leaderSliceRole } from '../../../src/index.js';
import { EndpointSlice, ExternalCall, keep, type LiveObject } from '../../runtime/index.js';
import { withdrawals } from './election/roles.js';
import { endpointsOf, familiesIn } from './endpoints.js';
import { hookEndpoint } from './hook-endpoint.js';
import { type Step, stepOf } from './plan/index.js';
import { leaderHooks } from './ports/hooks.js';
import { leaderLeases } from './ports/leases.js';
import { leaderRoles, type PodAssignment } from './ports/roles.js';
import { type Situation, situationOf, timesOf } from './situation.js';
import { callNames, type ElectionView } from './view.js';

/**
 * The polls that show the effect of a call, and from which the next one follows. Launchers are not among them: one that
 * hangs would delay each step, and a fence counts only when its launcher has confirmed it.
 */
function refreshesOf({ spec }: Pick<Situation, 'spec'>): readonly string[] {
  return ['lease', 'roles', ...(spec.application.hooks ? ['hooks'] : [])];
}

/** Renders the Lease, the Services with their endpoints, and the next step. */
export function desire(scope: Construct, view: ElectionView): void {
  const { metadata } = view.resource;
  const situation = situationOf(view);
  if (metadata.deletionTimestamp !== undefined) {
    // What the Pods were told is of the older election.
    const pods = situation.rival === undefined ? withdrawals(situation.candidates, situation.uid) : [];
    if (pods.length > 0) renderAssignment(scope, situation, pods, ['roles']);
    return;
  }
  const { name, namespace = '' } = metadata;
  new LeaderLease(scope, 'lease', { name, namespace });
  renderServices(scope, view, situation);
  renderStep(scope, situation);
}

function renderServices(scope: Construct, view: ElectionView, situation: Situation): void {
  const { metadata, spec } = view.resource;
  const slices: readonly LiveSlice[] = view.owned.of(EndpointSlice);
  const of = (role: ReturnType<typeof leaderSliceRole>) =>
    slices.filter((slice) => leaderSliceRole(slice) === role).flatMap(uidsIn);
  const endpoints = endpointsOf(situation, { leader: of('leader'), replicas: of('replicas') });
  const { name, namespace = '' } = metadata;
  new LeaderServices(scope, 'services', {
    ...spec,
    name,
    namespace,
    endpoints: endpoints ?? { leader: [], replicas: [] },
    // What is kept is not rendered too, because an EndpointSlice without endpoints would take clients away.
    families: endpoints
      ? [...familiesIn(situation.candidates), ...slices.flatMap(({ addressType }) => addressType ?? [])]
      : [],
  });
  if (endpoints) return;
  for (const slice of slices) {
    keep(scope, { kind: EndpointSlice, name: slice.metadata.name }, 'the Lease has not been read yet');
  }
}

interface LiveSlice extends LiveObject {
  readonly addressType?: AddressFamily;
  readonly endpoints?: readonly { readonly targetRef?: { readonly uid?: string } }[];
}

function uidsIn(slice: LiveSlice): readonly string[] {
  return (slice.endpoints ?? []).flatMap(({ targetRef }) => targetRef?.uid ?? []);
}

function renderStep(scope: Construct, situation: Situation): void {
  const step = stepOf(situation);
  if (step.does === 'assign') renderAssignment(scope, situation, step.pods, refreshesOf(situation));
  if (step.does === 'elect') renderElection(scope, situation, step);
  if (step.does === 'hook') renderHook(scope, situation, step);
  if (step.does !== 'delete') return;
  const request = { act: 'delete', namespace: situation.namespace, pods: [step.pod] } as const;
  new ExternalCall(scope, callNames.assign, { port: leaderRoles, request, refreshes: refreshesOf(situation) });
}

function renderAssignment(
  scope: Construct,
  { namespace }: Situation,
  pods: readonly PodAssignment[],
  refreshes: readonly string[],
): void {
  const request = { act: 'assign', namespace, pods } as const;
  new ExternalCall(scope, callNames.assign, { port: leaderRoles, request, refreshes });
}

function renderElection(
  scope: Construct,
  situation: Situation,
  { over, term, holder }: Extract<Step, { does: 'elect' }>,
): void {
  const { namespace, name, spec } = situation;
  const { uid, version } = over;
  const request = { namespace, name, uid, version, term, holder, duration: timesOf(spec).duration };
  new ExternalCall(scope, callNames.elect, { port: leaderLeases, request, refreshes: refreshesOf(situation) });
}

function renderHook(scope: Construct, situation: Situation, step: Extract<Step, { does: 'hook' }>): void {
  const { hooks } = situation.spec.application;
  if (!hooks) return;
  const { hook, pod, term, leader } = step;
  const request = { ...hookEndpoint(hooks[hook]), pod, hook, term, ...(leader && { leader }) };
  const timeout = request.timeout + 2_000;
  new ExternalCall(scope, callNames.hook, { port: leaderHooks, request, refreshes: refreshesOf(situation), timeout });
}
