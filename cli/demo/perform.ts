import { algorithm } from '../../operator/controllers/algorithm/index.js';
import { aborted } from '../../operator/runtime/concurrency/abort-signals.js';
import { sleep, systemClock } from '../../operator/runtime/ports/clock.js';
import { hasKubectl } from '../cluster/shell-access.js';
import type { Screen } from '../output/screen.js';
import { adviceFor } from './advice.js';
import type { DemoApi, DemoCluster } from './demo-cluster.js';
import { applyAll, manifestsOf } from './manifests.js';
import { Observer } from './observer.js';
import type { OperatorProcess } from './operator-process.js';
import { isComplete } from './scene.js';
import { tableOf } from './table.js';
import { walkthrough } from './walkthrough.js';

/** The environment of the demo and its options. */
export interface PerformProps {
  readonly place: DemoCluster;
  readonly api: DemoApi;
  readonly operator: OperatorProcess;
  /** The resource to apply. */
  readonly resourceFile: string;
  /** Whether to exit instead of waiting until the user stops the demo. */
  readonly once: boolean;
  readonly screen: Screen;
  /** Aborts when the user stops the demo. */
  readonly asked: AbortSignal;
}

/** Milliseconds to wait with `--once`. */
const patience = 120_000;

/**
 * Applies the resource and shows its objects until the user stops the demo. On a cluster of its own it also changes the
 * resource and deletes an object. On an existing cluster the image may not exist, so it waits only for the objects.
 *
 * @throws {Error} if the operator does not restart, or with `--once` if the objects are not created in time
 */
export async function perform(props: PerformProps): Promise<void> {
  const { place, api, operator, resourceFile, once, screen, asked } = props;
  const [manifest] = await manifestsOf(resourceFile);
  if (!manifest) throw new Error(`${resourceFile} contains no resource; run npm run synth`);
  const resource = { name: manifest.metadata.name, namespace: api.namespace };

  const show = () => screen.show(tableOf(observer.scene, operator));
  const began = performance.now();
  const seen = (news: readonly string[]) => {
    if (news.length > 0) screen.say(...news.map((line) => `${seconds(performance.now() - began)}  ${line}`));
    show();
  };
  const observer = new Observer({ controller: algorithm, resource, seen });
  const ended = new AbortController();
  const watching = observer.run(api.cluster, ended.signal);
  const kept = operator.keep(() => seen([`the operator exited and was restarted as process ${operator.pid}`]));
  try {
    await applyAll(api.cluster, [manifest], api.namespace);
    const finished = place.own
      ? walkthrough({ observer, cluster: api.cluster, say: (line) => screen.say('', line) })
      : observer.until((scene) => isComplete(scene, algorithm));
    await Promise.race([finished, kept, aborted(asked), ...(once ? [tooLate(ended.signal)] : [])]);
    if (once || asked.aborted) return;
    screen.say(...(await advice(props, resource)), '');
    await Promise.race([kept, aborted(asked)]);
  } finally {
    ended.abort();
    await watching;
  }
}

async function advice(
  { place, operator, resourceFile }: PerformProps,
  resource: { readonly name: string; readonly namespace: string },
): Promise<readonly string[]> {
  const kubectl = (await hasKubectl()) ? undefined : place.kubectl;
  return adviceFor({
    kubeconfig: place.kubeconfig,
    ownCluster: place.own,
    kubectl,
    resource,
    resourceFile,
    operator,
  });
}

/** Rejects after the timeout, unless the signal aborts earlier. */
async function tooLate(signal: AbortSignal): Promise<void> {
  await sleep(systemClock, patience, signal);
  if (!signal.aborted) throw new Error(`the demo did not finish within ${patience / 1000} s; check the lines above`);
}

/** Milliseconds formatted as seconds, right-aligned. */
function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2).padStart(7)} s`;
}
