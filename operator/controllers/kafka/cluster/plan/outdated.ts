import type { KafkaNode } from '../nodes/nodes.js';
import type { Situation, WantedCertificates } from '../situation.js';

/**
 * True if the Pod of a node was created from another template than desired, advertises other addresses, or does not get its
 * certificates without a restart.
 */
export function isOutdated(node: KafkaNode, situation: Situation): boolean {
  const { group, pod, revision, advertised, reachable } = node;
  const wanted = situation.groups.find(({ name }) => name === group);
  if (pod !== 'there' || wanted?.revision === undefined) return false;
  const isOther = revision !== wanted.revision || (reachable !== undefined && advertised !== reachable);
  return isOther || restartCause(node, situation) !== undefined;
}

/** Why a reload of the certificates of a node is not enough, as the end of a sentence. Undefined if it is. */
export function restartCause(
  { name, group, certificates, certificateEnd }: KafkaNode,
  { groups, presented, now }: Pick<Situation, 'groups' | 'presented' | 'now'>,
): string | undefined {
  const wanted = groups.find((one) => one.name === group)?.certificates;
  // One that started with these certificates gets no others from a restart.
  if (!wanted || certificates === wanted.hash) return undefined;
  const failure = presented?.failures[name];
  if (failure !== undefined) return `it does not load its renewed certificates: ${failure}`;
  const isEnding =
    certificateEnd !== undefined && wanted.to > certificateEnd && now >= restartDue(certificateEnd, wanted);
  return isEnding ? 'the certificate ends with which it connects to the controllers' : undefined;
}

/**
 * When a node must start again to connect to the controllers with a renewed certificate. It is renewed after two thirds of its
 * validity, so half of the rest is left. @param end of the certificate with which it started
 */
export function restartDue(end: number, { from, to }: Pick<WantedCertificates, 'from' | 'to'>): number {
  return end - (to - from) / 6;
}
