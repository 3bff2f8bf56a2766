import type { AlgorithmResource } from '../../../imports/index.js';
import { podLabels } from '../../../src/index.js';
import { Deployment, type LiveDeployment, type PollBuilder, type PollRequest } from '../../runtime/index.js';
import type { owns, reads, watchesSiblings } from './declarations.js';
import { isStuck } from './hindrance/hindrance.js';
import { type StartingPodsQuestion, startingPods } from './ports/starting-pods.js';

/** The external data that an Algorithm polls. */
export const polls = (
  ask: PollBuilder<
    AlgorithmResource,
    (typeof owns)[number],
    ReturnType<typeof reads>,
    (typeof watchesSiblings)[number]
  >,
) => ({
  startingPods: ask(startingPods, ({ resource, owned }) => startingPodsAsked(resource, owned.one(Deployment))),
});

/** Milliseconds for which Pods usually start. An Algorithm that is ready by then asks nothing. */
const usual = 15_000;
/** Milliseconds between two checks of Pods that do not become ready. */
const startingEvery = 30_000;

/** The cause why no replica is ready, or why a rollout failed. If Pods cannot be created, the Deployment reports it. */
function startingPodsAsked(
  { metadata: { name, namespace = '' } }: AlgorithmResource,
  deployment: LiveDeployment | undefined,
): PollRequest<StartingPodsQuestion> | undefined {
  if (!deployment || !isStuck(deployment)) return undefined;
  const { generation } = deployment.metadata;
  const question = { namespace, labels: podLabels(name), ...(generation !== undefined && { generation }) };
  return { question, interval: startingEvery, delay: usual };
}
