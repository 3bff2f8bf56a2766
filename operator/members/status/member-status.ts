import type { Member } from '../member/member.js';

/** The status entry of a member. A kind adds what its engine reports. */
export function memberStatus({ name, pod, isReady, zone, node }: Member) {
  const state = pod === 'none' ? 'Stopped' : pod === 'ending' ? 'Stopping' : isReady ? 'Running' : 'Starting';
  return { name, state, ...(zone !== undefined && { zone }), ...(node !== undefined && { node }) };
}

/** Ready and desired members, such as `2/3`. */
export function readyRatio(members: readonly Member[], wanted: number): string {
  return `${members.filter(({ isReady }) => isReady).length}/${wanted}`;
}
