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

/** What the demo has set up, and how it plays on it. */
export interface PerformProps {
  readonly place: DemoCluster;
  readonly api: DemoApi;
  readonly operator: OperatorProcess;
  /** The resource to apply. */
  readonly resourceFile: string;
  /** Ends by itself when every object is there. */
  readonly once: boolean;
  readonly screen: Screen;
  /** Aborts when the user has seen enough. */
  readonly asked: AbortSignal;
}

/** Milliseconds for the objects to come, where a program waits for them. */
const patience = 60_000;

/**
 * Applies the resource and shows what comes of it, until the user has seen enough.
 *
 * @throws {Error} when the operator does not start again after its end, or the objects do not come
 */
export async function perform(props: PerformProps): Promise<void> {
  const { api, operator, resourceFile, once, screen, asked } = props;
  const [manifest] = await manifestsOf(resourceFile);
  if (!manifest) throw new Error(`${resourceFile} has no resource: run npm run synth`);
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
  const kept = operator.keep(() => seen([`the operator ended and was started again as process ${operator.pid}`]));
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

/** Rejects when the time is up, unless the signal aborts before. */
async function tooLate(signal: AbortSignal): Promise<void> {
  await sleep(systemClock, patience, signal);
  if (!signal.aborted) throw new Error(`not every object was there after ${patience / 1000} s: see the lines above`);
}

/** Milliseconds as seconds, in a column. */
function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2).padStart(7)} s`;
}

/** Whether the machine has a kubectl of its own. */
async function hasKubectl(path = process.env['PATH'] ?? ''): Promise<boolean> {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const found = await Promise.all(folders.map((folder) => executable(join(folder, 'kubectl'))));
  return found.includes(true);
}
