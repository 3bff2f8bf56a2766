import type { NamedState } from './adoption.js';

/** Milliseconds within which the kubelet replaces the files of a changed Secret: 90 seconds with its defaults. */
export const deliveryTime = 120_000;

/** Milliseconds after which a port that still serves another certificate is reported as failed. */
export const servingTime = 600_000;

/**
 * The state of a workload that gets new content without a rollout. Its Pods tell nothing of their files, so it counts as
 * current when the kubelet has had the time to replace them.
 * @param age milliseconds since the content was seen in the Secret
 */
export function deliveredState(state: NamedState, age: number): NamedState {
  if (state.phase !== 'Current' || age >= deliveryTime) return state;
  return { ...state, phase: 'RollingOut', why: `the kubelet replaces the files of ${state.kind} ${state.name}` };
}

/**
 * The states of ports, of which one fails if it still serves another certificate when nothing is rolled any more.
 * @param age milliseconds since the content was seen in the Secret
 */
export function servedStates(
  ports: readonly NamedState[],
  { isRolling, age }: { readonly isRolling: boolean; readonly age: number },
): readonly NamedState[] {
  if (isRolling || age < servingTime) return ports;
  return ports.map((one) =>
    one.phase === 'RollingOut' ? { ...one, phase: 'Failed', why: `${one.why}; reload or restart the server` } : one,
  );
}
