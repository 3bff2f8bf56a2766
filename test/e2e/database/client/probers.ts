import { until } from '../../../chaos/wait.js';
import { listed } from '../../cluster/api.js';
import { Pod } from '../../cluster/kinds.js';
import { applied, kubectl } from '../../cluster/kubectl.js';
import { overlapsIn, type Stretch } from './leadership.js';
import { programMap, programPod } from './python-program.js';

const name = 'prober';
const labels = { app: name };
const labelSelector = `app=${name}`;

/** Instances that a Database may have had numbers for by the end of the tests. */
const most = 12;

/** On each node a client that asks every instance all the while whether it would take a write. */
export class Probers {
  /** By who, where, and since when: told again each second, as it gets longer. */
  readonly #stretches = new Map<string, Stretch>();

  private constructor(readonly namespace: string) {}

  /** Starts them. Resolves when they have seen who takes writes. */
  static async start(namespace: string, database: string): Promise<Probers> {
    const program = { namespace, database, program: 'prober', asked: { database, most } } as const;
    const daemons = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name, namespace },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: programPod(program) } },
    };
    await applied(await programMap(program), daemons);
    const probers = new Probers(namespace);
    const isSeen = async () => (await probers.read()).length > 0;
    await until(isSeen, { what: 'a prober sees who takes writes', within: 30_000, every: 500 });
    return probers;
  }

  /** Resolves when there is one on each node that can be asked, and reads what they have seen. */
  async read(): Promise<readonly Stretch[]> {
    const of = ['--namespace', this.namespace];
    await kubectl([...of, 'rollout', 'status', `daemonset/${name}`, '--timeout=90s']);
    for (const { metadata, spec } of await listed(Pod, { namespace: this.namespace, labelSelector })) {
      const logs = [...of, 'logs', metadata.name];
      // One whose node was lost has begun again.
      const before = await kubectl([...logs, '--previous']).catch(() => '');
      for (const line of `${before}${await kubectl(logs)}`.split('\n')) this.#take(line, spec.nodeName ?? '');
    }
    return [...this.#stretches.values()];
  }

  /** Moments at which two instances took writes, as far as was read. @param since milliseconds since 1970 */
  overlaps(since: number): readonly string[] {
    return overlapsIn([...this.#stretches.values()].filter(({ to }) => to >= since));
  }

  #take(line: string, node: string): void {
    if (!line.startsWith('{') || !line.endsWith('}')) return; // the power went in the middle of a line
    const { stretches } = JSON.parse(line) as { readonly stretches: readonly Stretch[] };
    for (const one of stretches) this.#stretches.set(`${node} ${one.instance} ${one.address} ${one.from}`, one);
  }
}
