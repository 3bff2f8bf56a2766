import { secondsOf } from '../../../../crds/index.js';
import type { KafkaClusterResource } from '../../../../imports/index.js';
import { metadataLevels, wholeQuantity } from '../../../../src/index.js';
import type { Answers, Facts } from '../../../runtime/index.js';
import { presentedIn } from './certificates/presented.js';
import { drainProblems } from './drained-brokers.js';
import { type Situation, stayingIn, wantedConfiguration } from './plan/index.js';
import type { polls } from './queries.js';
import {
  defaultsIn,
  isBootstrapped,
  missingCertificates,
  nodesIn,
  type StableView,
  wantedGroups,
} from './stable-view.js';
import { uncleanElectionIn } from './unclean-election.js';

/** The input of `desire` and `assess`. */
export interface KafkaView extends StableView, Pick<Facts<KafkaClusterResource>, 'now'> {
  readonly polled: Answers<ReturnType<typeof polls>>;
}

/** Annotation with which a person approves that a version is finalized. */
export const finalizeAnnotation = 'reconstruct.dev/finalize';

/** The observed and desired state of a KafkaCluster. */
export function situationOf(view: KafkaView): Situation {
  const { resource, polled, now } = view;
  const { spec, status } = resource;
  const { cluster, goneNodes, certificates } = polled;
  const nodes = nodesIn(view, goneNodes?.known ? goneNodes.value.gone : []);
  const groups = wantedGroups(view, nodes);
  return {
    groups,
    nodes,
    missingCertificates: missingCertificates(view),
    presented: presentedIn(view, stayingIn({ groups, nodes }), certificates),
    ...(cluster?.known
      ? { cluster: cluster.value, answeredAt: cluster.at }
      : cluster && { silence: `the brokers do not answer: ${cluster.why}` }),
    isBootstrapped: isBootstrapped(view),
    replaceAfter: 1_000 * secondsOf(spec.replaceAfter),
    rebalances: spec.rebalance.triggers.includes('Scale'),
    keepsRemoved: spec.deletionPolicy === 'Retain',
    throttle: Number(wholeQuantity(spec.rebalance.throttle)),
    config: wantedConfiguration(spec, defaultsIn(view, nodes), cluster?.known ? cluster.value : undefined),
    finalization: { level: metadataLevels[spec.version], due: finalizationDue(resource, status?.rolledOutTime) },
    hooks: hooksIn(spec),
    restart: status?.restart,
    drain: drainProblems(resource, brokersOf(nodes)),
    unclean: uncleanElectionIn(resource, cluster?.known ? cluster.value : undefined),
    now: now.getTime(),
  };
}

function brokersOf(nodes: Situation['nodes']): readonly number[] {
  return nodes.flatMap(({ id, role, retired }) => (role === 'broker' && retired === undefined ? [id] : []));
}

function hooksIn({ hooks }: KafkaClusterResource['spec']): Situation['hooks'] {
  if (!hooks?.preRestart && !hooks?.postRestart) return undefined;
  return { preRestart: hooks.preRestart !== undefined, postRestart: hooks.postRestart !== undefined };
}

/** When the version is finalized, in milliseconds since 1970. @param since time since which every node runs it */
export function finalizationDue({ metadata, spec }: KafkaClusterResource, since: string | undefined) {
  if (since === undefined) return undefined;
  if (metadata.annotations?.[finalizeAnnotation] === spec.version) return Date.parse(since);
  return spec.finalize.policy === 'Manual' ? undefined : Date.parse(since) + 1_000 * secondsOf(spec.finalize.after);
}
