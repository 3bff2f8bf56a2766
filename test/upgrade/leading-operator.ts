import { account } from '../acceptance/given/installation.js';
import { until } from '../chaos/wait.js';
import { kubectl } from '../e2e/cluster/kubectl.js';
import { leader, operatorPods, untilRolledOut } from '../e2e/cluster/operator-pods.js';
import type { Release } from './release.js';

const within = 300_000;

/** Resolves with the Pod that leads, when all Pods of the operator are of the release. */
export async function untilLeading({ image }: Release): Promise<string> {
  await untilRolledOut();
  let name: string | undefined;
  const isThere = async () => {
    const pods = await operatorPods();
    name = await leader();
    const isNew = pods.every(({ spec }) => spec.containers.every((container) => container.image === image));
    return isNew && name !== undefined;
  };
  await until(isThere, { what: `an operator of ${image} leads`, within, every: 1_000 });
  return name ?? '';
}

/** Reconciles of each controller since the process began. */
export interface Reconciles {
  readonly ended: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, number>>;
}

/** What a Pod of the operator counts. */
export async function reconcilesOf(pod: string): Promise<Reconciles> {
  const text = await kubectl([
    'get',
    '--raw',
    `/api/v1/namespaces/${account.namespace}/pods/${pod}:8080/proxy/metrics`,
  ]);
  return {
    ended: sums(text, 'controller_runtime_reconcile_total'),
    failed: sums(text, 'controller_runtime_reconcile_errors_total'),
  };
}

/** A counter in the text format of Prometheus, summed by the label `controller`. */
export function sums(text: string, metric: string): Readonly<Record<string, number>> {
  const all: Record<string, number> = {};
  for (const line of text.split('\n')) {
    const [, labels = '', value] = line.startsWith(`${metric}{`) ? (/\{(.*)\} (\S+)/.exec(line) ?? []) : [];
    const [, controller] = /(?:^|,)controller="([^"]*)"/.exec(labels) ?? [];
    if (controller !== undefined) all[controller] = (all[controller] ?? 0) + Number(value);
  }
  return all;
}
