import type { KafkaClusterResource } from '../../../../imports/index.js';
import { keepUntilAnswered, requeueIn } from '../../../members/index.js';
import { type Assessment, type Outcome, reportOnly, timestampOf } from '../../../runtime/index.js';
import { uncleanReport } from './annotations/unclean-election.js';
import { presentedStatus } from './certificates/presented-certificates.js';
import type { conditions } from './conditions.js';
import { consumerLagOf } from './consumer-lag.js';
import { tlsRoute } from './declarations.js';
import { certificatesCall, clusterCall, loginsCall, topicsCall } from './desire.js';
import { availableOf } from './findings/available.js';
import { balancedOf } from './findings/balanced.js';
import { claimedOf } from './findings/claimed.js';
import { finalizedOf } from './findings/finalized.js';
import type { Observation } from './findings/observation.js';
import { provisionedOf } from './findings/provisioned.js';
import { replicatedOf } from './findings/replicated.js';
import { topicsClaimedOf } from './findings/topics-claimed.js';
import { upToDateOf } from './findings/up-to-date.js';
import { illnessOf, isOutdated, planOf, reloadIn, restartDue } from './plan/index.js';
import { isUnannounced, plannedMoves } from './planned-moves.js';
import { hookCall, httpProgress, jobProgress, restartReport } from './restart-hooks.js';
import { finalizationDue, type Situation, situationOf, stayingIn } from './situation.js';
import { statusOf } from './status.js';
import type { KafkaView } from './view.js';

/** Milliseconds until the status shows the moves that are about to begin. */
const announcing = 1_000;

type Found = Assessment<KafkaClusterResource, typeof conditions>;

/** Derives the conditions and the status of a KafkaCluster from its nodes and the next step. */
export function assess(outcome: KafkaView & Pick<Outcome, 'calls' | 'accepted' | 'pruning' | 'blocker'>): Found {
  const { resource, now, accepted } = outcome;
  const situation = situationOf({ ...outcome, leaving: outcome.pruning });
  if (resource.metadata.deletionTimestamp !== undefined)
    return { conditions: reportOnly({ Available: { reason: 'Terminating' } }), status: keptStatus(resource) };
  const { steps } = planOf(situation);
  const seen: Observation = {
    resource,
    situation,
    steps,
    call: outcome.calls.of(clusterCall),
    hook:
      jobProgress(resource, outcome.owned) ??
      httpProgress(resource, { polled: outcome.polled.hook, call: outcome.calls.of(hookCall) }),
    hasRoutes: outcome.isServed(tlsRoute),
    blocker: outcome.blocker,
  };
  const rolledOut = accepted ? rolledOutSince(resource, situation) : undefined;
  const due = finalizationDue(resource, rolledOut);
  const unclean = uncleanReport(resource, situation.unclean, now.getTime());
  const restart = restartReport(resource, { situation, steps, progress: seen.hook });
  const isFinal = finalizedOf(seen, due).reason === 'Finalized';
  const certificates = presentedStatus(outcome, stayingIn(situation), {
    presented: situation.presented,
    loading: reloadIn(situation)?.name,
    call: outcome.calls.of(certificatesCall),
  });
  const moves = plannedMoves(resource, situation, steps);
  return {
    conditions: {
      Provisioned: provisionedOf(seen),
      ...keepUntilAnswered(
        {
          Available: availableOf(seen),
          Replicated: replicatedOf(seen),
          UpToDate: upToDateOf(seen),
          Balanced: balancedOf(seen),
          Claimed: claimedOf(seen, outcome.calls.of(loginsCall)),
          TopicsClaimed: topicsClaimedOf(seen, outcome.calls.of(topicsCall)),
          Finalized: finalizedOf(seen, due),
        },
        outcome.polled.cluster,
        resource,
      ),
    },
    events: [...unclean.events, ...restart.events],
    status: {
      ...statusOf(outcome, situation),
      ...unclean.status,
      ...certificates.status,
      ...restart.status,
      ...(moves && { rebalance: moves }),
      ...consumerLagOf(resource, outcome.polled.consumers),
      ...(rolledOut !== undefined && { rolledOutTime: rolledOut, version: resource.spec.version }),
      ...(rolledOut === undefined && resource.status?.version !== undefined && { version: resource.status.version }),
      ...(due !== undefined && !isFinal && { finalizationTime: timestampOf(due) }),
    },
    ...requeueIn(
      due !== undefined && !isFinal ? due - now.getTime() : undefined,
      isUnannounced(resource, steps) ? announcing : undefined,
      certificates.left,
      restart.requeueAfter,
      ...restartsDue(situation),
    ),
  };
}

/** Milliseconds until nodes have to start again with renewed certificates. */
function restartsDue(situation: Situation): readonly number[] {
  return stayingIn(situation).flatMap(({ group, certificates: own, certificateEnd: end }) => {
    const wanted = situation.groups.find(({ name }) => name === group)?.certificates;
    if (!wanted || end === undefined || own === wanted.hash) return [];
    const left = restartDue(end, wanted) - situation.now;
    return left > 0 ? [left] : [];
  });
}

/** A KafkaCluster that is being deleted keeps what its nodes need to stop. */
function keptStatus({ status }: KafkaClusterResource): NonNullable<Found['status']> {
  const { clusterId, bootstrapped, version } = status ?? {};
  return {
    ...(clusterId !== undefined && { clusterId }),
    ...(bootstrapped !== undefined && { bootstrapped }),
    ...(version !== undefined && { version }),
  };
}

/** Time since which every node runs the version of the spec. Undefined while one does not. */
function rolledOutSince({ spec, status }: KafkaClusterResource, situation: Situation): string | undefined {
  const { version, rolledOutTime } = status ?? {};
  const staying = stayingIn(situation);
  const isWhole = situation.groups.every(
    ({ name, replicas }) => staying.filter(({ group }) => group === name).length === replicas,
  );
  const isCurrent = staying.every((node) => node.pod === 'there' && !isOutdated(node, situation));
  if (version === spec.version && rolledOutTime !== undefined && isCurrent && isWhole) return rolledOutTime;
  const serves = staying.every((node) => illnessOf(node, situation) === undefined);
  if (!isWhole || !isCurrent || !serves || !situation.cluster) return undefined;
  return timestampOf(situation.now);
}
