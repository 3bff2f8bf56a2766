import type { AlgorithmResource } from '../../../imports/index.js';
import { podLabels } from '../../../src/index.js';
import type { PollBuilder, PollRequest } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import type { owns, reads, watchesSiblings } from './declarations.js';
import { type StartingPodsQuestion, startingPods } from './ports/starting-pods.js';
import type { StableView } from './view.js';

/** The external data that an Algorithm polls. */
export const polls = (
  ask: PollBuilder<
    AlgorithmResource,
    (typeof owns)[number],
    ReturnType<typeof reads>,
    (typeof watchesSiblings)[number]
  >,
) => ({ startingPods: ask(startingPods, startingPodsAsked) });

/** Milliseconds between two checks of Pods that do not become ready. */
const startingEvery = 15_000;

/** Reasons for which the cause is sought. */
const soughtFor: ReadonlySet<string> = new Set<
  keyof (typeof conditions)['Available'] | keyof (typeof conditions)['Deployed']
>(['NoReadyReplica', 'RollingOut', 'RolloutFailed']);

/** The cause why Pods are not ready, polled while the status reports that some are not. */
function startingPodsAsked({
  resource: { metadata, status },
}: Pick<StableView, 'resource'>): PollRequest<StartingPodsQuestion> | undefined {
  const { name, namespace = '' } = metadata;
  const isSought = status?.conditions?.some(({ reason }) => soughtFor.has(reason)) ?? false;
  return isSought ? { question: { namespace, labels: podLabels(name) }, interval: startingEvery } : undefined;
}
