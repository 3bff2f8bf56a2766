import type { LiveCondition } from '../../runtime/kubernetes/kinds.js';
import type { ContainerStatus } from './container-status.js';

/** The state that the conditions of a Pod report. */
export interface PodState {
  readonly phase: string;
  readonly isInitialized: boolean;
  readonly containerStatuses: readonly ContainerStatus[];
  /** The condition types that other controllers must set to True before the Pod is ready. */
  readonly readinessGates: readonly string[];
  /** RFC 3339. */
  readonly now: string;
}

type Stated = Omit<LiveCondition, 'lastTransitionTime'>;

/** The scheduler reports it, except for a Pod that was created with its node. */
const scheduled: Stated = { type: 'PodScheduled', status: 'True' };
/** The API server adds this field to every condition of a Pod, and a status without it would be reported again. */
const asStored = { lastProbeTime: null };

/**
 * The conditions of a Pod, in the order in which they were first reported. Those of others, such as readiness gates,
 * stay as they are. A condition whose status stays the same keeps its time.
 */
export function conditionsOf(before: readonly LiveCondition[], state: PodState): readonly LiveCondition[] {
  const own = statedConditions(before, state).map((one) => transitionOf(one, before, state.now));
  const kept = before.map((one) => own.find(({ type }) => type === one.type) ?? one);
  const added = own.filter(({ type }) => !before.some((one) => one.type === type));
  return [...kept, ...added];
}

function statedConditions(before: readonly LiveCondition[], state: PodState): readonly Stated[] {
  const { isInitialized, readinessGates } = state;
  const containersReady = containersReadyOf(state);
  const open = readinessGates.filter((gate) => before.find(({ type }) => type === gate)?.status !== 'True');
  const gated: Stated = {
    type: 'Ready',
    status: 'False',
    reason: 'ReadinessGatesNotReady',
    message: `corresponding condition of pod readiness gate "${open[0]}" is not True`,
  };
  return [
    ...(before.some(({ type }) => type === 'PodScheduled') ? [] : [scheduled]),
    { type: 'PodReadyToStartContainers', status: 'True' },
    {
      type: 'Initialized',
      ...(isInitialized ? { status: 'True' } : { status: 'False', reason: 'ContainersNotInitialized' }),
    },
    { type: 'ContainersReady', ...containersReady },
    containersReady.status === 'True' && open.length > 0 ? gated : { type: 'Ready', ...containersReady },
  ];
}

function containersReadyOf({ phase, containerStatuses }: PodState): Omit<Stated, 'type'> {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const unready = containerStatuses.filter(({ ready }) => !ready).map(({ name }) => name);
  if (unready.length === 0) return { status: 'True' };
  return {
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${unready.join(' ')}]`,
  };
}

function transitionOf(stated: Stated, before: readonly LiveCondition[], now: string): LiveCondition {
  const known = before.find(({ type }) => type === stated.type);
  const isSame = known?.status === stated.status;
  return { ...asStored, ...stated, lastTransitionTime: (isSame && known.lastTransitionTime) || now };
}
