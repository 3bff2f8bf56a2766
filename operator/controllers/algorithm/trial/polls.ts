import { secondsOf } from '../../../../crds/index.js';
import type { AlgorithmResource, AlgorithmSpec } from '../../../../imports/index.js';
import { gatewayPorts, podLabels, proxyLabels, suffixedName, trialLabels, variantsOf } from '../../../../src/index.js';
import type { PollBuilder, PollRequest } from '../../../runtime/index.js';
import { type RequestMetricsQuestion, requestMetrics, type SideQuestion } from '../ports/request-metrics.js';
import { type StartingPodsQuestion, startingPods } from '../ports/starting-pods.js';
import type { owns, reads, watchesSiblings } from './declarations.js';
import { type Situation, situationOf } from './situation.js';
import { isUp, type StableView } from './view.js';

/** Number of answers to keep: enough for a step that comes late. */
const keep = 12;

/** The external data that a trial polls. */
export const polls = (
  ask: PollBuilder<
    AlgorithmResource,
    (typeof owns)[number],
    ReturnType<typeof reads>,
    (typeof watchesSiblings)[number]
  >,
) => ({
  numbers: ask(requestMetrics, numbersAsked),
  startingPods: ask(startingPods, startingPodsAsked),
});

/** The request metrics, polled during a trial and its bake and until the Pods of the trial are gone. */
function numbersAsked(view: StableView): PollRequest<RequestMetricsQuestion> | undefined {
  const situation = situationOf(view);
  const { lifecycle } = situation.resource.spec;
  if (situation.traffic.unsplit || !isWatched(situation)) return undefined;
  const interval = secondsOf(lifecycle?.trial.interval ?? '10s') * 1000;
  return { question: questionOf(situation), interval, keep };
}

/** Milliseconds between two checks of Pods that do not become ready. */
const startingEvery = 5_000;

/** The cause why Pods of the version on trial are not ready, polled while some are not. */
function startingPodsAsked(view: StableView): PollRequest<StartingPodsQuestion> | undefined {
  const { name, resource, trial } = situationOf(view);
  if (!trial || isUp(trial)) return undefined;
  const { namespace = '' } = resource.metadata;
  return { question: { namespace, labels: trialLabels(name) }, interval: startingEvery };
}

function isWatched({ record, trial }: Situation): boolean {
  return trial !== undefined || record?.state.stage === 'steps' || record?.state.stage === 'bake';
}

function questionOf({ resource, name, traffic }: Situation): RequestMetricsQuestion {
  const { metadata, spec } = resource;
  const drift = spec.lifecycle?.drift?.metric;
  const variants = variantsOf(name, spec);
  const telling = (labels: Readonly<Record<string, string>>): Pick<SideQuestion, 'pods'> =>
    drift === undefined ? {} : { pods: { labels, port: metricsPort(spec) } };
  const services = [suffixedName(name, 'trial'), ...variants.map(({ service }) => service)];
  return {
    namespace: metadata.namespace ?? '',
    sides: {
      stable: { services: [suffixedName(name, 'stable')], ...telling(podLabels(name)) },
      trial: { services, ...telling(trialLabels(name)) },
      ...Object.fromEntries(variants.map((one) => [variantSide(one.name), { services: [one.service] }])),
    },
    proxies: { labels: proxyLabels(traffic.gateway.name), port: gatewayPorts.metrics },
    ...(drift !== undefined && { drift }),
  };
}

/** The name of the side of a variant. */
export function variantSide(variant: string): string {
  return `variant ${variant}`;
}

function metricsPort({ metrics, port }: AlgorithmSpec): number {
  return metrics?.port ?? port;
}
