import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { LeaderElector } from '../../../../operator/runtime/leader/leader-election.js';
import type { Term } from '../../../../operator/runtime/leader/lease-term.js';
import { fenced } from '../../../../operator/runtime/leader/write-fence.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { configMap } from '../../../given.js';
import { FakeClock, settled } from '../../fake-clock.js';

/** One process that stands for election, with a clock of its own that can stop. */
export class Candidate {
  readonly clock = new FakeClock();
  /** What led and when it stopped: `leads`, `steps down`. */
  readonly diary: string[] = [];
  term: Term | undefined;
  /** Keeps the work going after the term was to end, until it is called. */
  finish: (() => void) | undefined;
  /** True to make the process finish its work only when {@link finish} is called. */
  lingers = false;
  /** What it told an operator of the cluster to look after. */
  readonly complaints: object[] = [];
  readonly writing: Cluster;
  readonly #ending = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  constructor(
    readonly name: string,
    cluster: Cluster,
  ) {
    this.writing = fenced(cluster, () => this.term);
    const { clock } = this;
    const telemetry = { ...silent, log: { ...silent.log, warn: (fields: object) => this.complaints.push(fields) } };
    const options = { cluster, clock, telemetry, name: 'reconstruct', namespace: 'system', identity: name };
    this.leader = new LeaderElector({ ...options, lead: (term, finish) => this.#lead(term, finish) });
  }

  readonly leader: LeaderElector;

  get leads(): boolean {
    return this.term?.holds() ?? false;
  }

  start(): void {
    this.#ended = this.leader.run(this.#ending.signal);
  }

  /** SIGTERM. */
  stop(): Promise<void> {
    this.#ending.abort();
    return this.#ended;
  }

  /** Tries to write. */
  async write(): Promise<unknown> {
    return this.writing.apply(ConfigMap, configMap('a', { data: { by: this.name } }), { manager: this.name });
  }

  async #lead(term: Term, finish: AbortSignal): Promise<void> {
    this.term = term;
    this.diary.push('leads');
    await new Promise<void>((resolve) => {
      this.finish = resolve;
      const end = () => !this.lingers && resolve();
      if (finish.aborted) end();
      finish.addEventListener('abort', end);
    });
    this.diary.push('steps down');
  }
}

/** Candidates for one lease. */
export class GivenElection {
  readonly memory = new MemoryCluster();
  readonly a: Candidate;
  readonly b: Candidate;

  constructor({ a, b }: { a?: (cluster: Cluster) => Cluster; b?: (cluster: Cluster) => Cluster } = {}) {
    this.a = new Candidate('a', a ? a(this.memory) : this.memory);
    this.b = new Candidate('b', b ? b(this.memory) : this.memory);
  }

  /**
   * Time passes, in small steps, for those whose clocks are given.
   * @throws {Error} when two of them lead at once
   */
  async advance(ms: number, clocks: readonly FakeClock[] = [this.a.clock, this.b.clock]): Promise<void> {
    for (let passed = 0; passed < ms; passed += 100) {
      for (const clock of clocks) await clock.advance(100);
      await settled();
      const leaders = [this.a, this.b].filter((one) => clocks.includes(one.clock) && one.leads);
      if (leaders.length > 1) throw new Error('two lead at once');
    }
  }
}
