import { delimiter, join } from 'node:path';
import { algorithm } from '../../operator/controllers/algorithm/index.js';
import { aborted } from '../../operator/runtime/concurrency/abort-signals.js';
import { sleep, systemClock } from '../../operator/runtime/ports/clock.js';
import { executable } from '../../operator/testing/binaries/executables.js';
import { adviceFor } from './advice.js';
import type { DemoApi, DemoCluster } from './demo-cluster.js';
import { applyAll, manifestsOf } from './manifests.js';
import { Observer } from './observer.js';
import type { OperatorProcess } from './operator-process.js';
import { isComplete } from './scene.js';
import type { Screen } from './screen.js';
import { tableOf } from './table.js';

/** The environment of the demo and its options. */
export interface PerformProps {
  readonly place: DemoCluster;
  readonly api: DemoApi;
  readonly operator: OperatorProcess;
  /** The resource to apply. */
  readonly resourceFile: string;
  /** Whether to exit when every object exists. */
  readonly once: boolean;
  readonly screen: Screen;
  /** Aborts when the user stops the demo. */
  readonly asked: AbortSignal;
}

/** Milliseconds to wait for the objects with `--once`. */
const patience = 60_000;

/**
 * Applies the resource and shows its objects until the user stops the demo.
 *
 * @throws {Error} if the operator does not restart, or if the objects are not created
 */
export async function perform(props: PerformProps): Promise<void> {
  const { api, operator, resourceFile, once, screen, asked } = props;
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
    const complete = observer.until((scene) => isComplete(scene, algorithm));
    await Promise.race([complete, kept, aborted(asked), ...(once ? [tooLate(ended.signal)] : [])]);
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
  if (!signal.aborted) throw new Error(`not every object existed after ${patience / 1000} s; check the lines above`);
}

/** Milliseconds formatted as seconds, right-aligned. */
function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2).padStart(7)} s`;
}

/** Whether kubectl is in the PATH. */
async function hasKubectl(path = process.env['PATH'] ?? ''): Promise<boolean> {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const found = await Promise.all(folders.map((folder) => executable(join(folder, 'kubectl'))));
  return found.includes(true);
}
