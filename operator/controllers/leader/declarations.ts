import { type LeaderElectionResource, leaderElectionKind } from '../../../imports/index.js';
import { readNodes } from '../../members/index.js';
import {
  EndpointSlice,
  type Found,
  frequentlyChanged,
  Lease,
  Pod,
  type Refer,
  Secret,
  Service,
} from '../../runtime/index.js';
import { podPart } from './election/pod-part.js';
import { rivalPart } from './rivals.js';

function namespaceOf({ metadata }: Pick<LeaderElectionResource, 'metadata'>): readonly string[] {
  return [metadata.namespace ?? ''];
}

/** Kinds that a LeaderElection owns. */
export const owns = [Lease, Service, frequentlyChanged(EndpointSlice, ['endpoints'])] as const;

/** Objects that the controller reads but does not own. */
export const reads = (refer: Refer<LeaderElectionResource>) => ({
  pods: refer.matchingLabels(Pod, ({ spec }) => ({ labels: spec.selector }), podPart),
  nodes: readNodes(refer),
  /** All elections of the namespace, and this one itself. */
  rivals: refer.byIndex(leaderElectionKind, { indexFunc: namespaceOf, values: namespaceOf }, rivalPart),
  /** The CA certificates of the servers, PEM. */
  authority: refer.named(
    Secret,
    ({ spec }) => spec.application.redis?.tls?.caSecretRef.name,
    ({ data = {} }) => Buffer.from(data['ca.crt'] ?? '', 'base64').toString(),
  ),
});

/** The objects that `reads` finds. */
export type ElectionReads = Found<ReturnType<typeof reads>>;
