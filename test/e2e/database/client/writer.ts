import { until } from '../../../chaos/wait.js';
import { applied, kubectl } from '../../cluster/kubectl.js';
import { acknowledgedIn, countOf, type Period } from './ledger.js';
import { programMap, programPod } from './python-program.js';

/** Where a writer is, and what it is called. */
export interface WriterProps {
  readonly namespace: string;
  /** The Database's name. */
  readonly database: string;
  /** Of its Pod, and of its rows. */
  readonly name: string;
  /** A node that no test removes. */
  readonly node: string;
}

/** Connections that it writes by, and the seconds that each rests between two rows. */
const load = { connections: 4, pause: 0.02 };

/** A client in a pod that writes numbered rows all the while, and keeps which of them were acknowledged. */
export class Writer {
  #periods: readonly Period[] = [];
  #isStopped = false;

  private constructor(readonly props: WriterProps) {}

  /** Starts one. Resolves when its first rows are acknowledged. */
  static async start(props: WriterProps): Promise<Writer> {
    const { namespace, name, node } = props;
    const program = { ...props, program: 'writer', asked: { name, ...load } } as const;
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace },
      spec: { ...programPod(program), nodeName: node, restartPolicy: 'Never' },
    };
    await applied(await programMap(program), pod);
    await kubectl(['--namespace', namespace, 'wait', `pod/${name}`, '--for=condition=Ready', '--timeout=60s']);
    const writer = new Writer(props);
    await writer.untilRows(10);
    return writer;
  }

  /** Its reports until about a second ago, or until it was stopped. */
  get periods(): readonly Period[] {
    return this.#periods;
  }

  /** Reads its reports. @returns all of them */
  async read(): Promise<readonly Period[]> {
    if (this.#isStopped) return this.#periods;
    const { namespace, name } = this.props;
    const log = await kubectl(['--namespace', namespace, 'logs', name]);
    const lines = log.split('\n').filter((line) => line.startsWith('{'));
    this.#periods = lines.map((line) => JSON.parse(line) as Period);
    return this.#periods;
  }

  /** Resolves when so many rows more are acknowledged. @param within seconds */
  async untilRows(rows: number, within = 90): Promise<void> {
    const before = countOf(acknowledgedIn(this.#periods));
    const isSo = async () => countOf(acknowledgedIn(await this.read())) >= before + rows;
    const what = `${rows} more rows of ${this.props.name} are acknowledged`;
    await until(isSo, { what, within: within * 1000, every: 500 }).catch((error: Error) => {
      throw new Error(`${error.message}; it told ${JSON.stringify(this.#periods.at(-1))}`);
    });
  }

  /** Deletes it and keeps its reports. */
  async stop(): Promise<void> {
    const { namespace, name } = this.props;
    await this.read();
    this.#isStopped = true;
    // A Pod without a controller would keep its node from being drained, also while it ends.
    const ends = ['--ignore-not-found', '--grace-period=1', '--timeout=60s'];
    await kubectl(['--namespace', namespace, 'delete', 'pod', name, ...ends]);
  }
}
