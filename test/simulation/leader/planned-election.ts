import { leaderElectionSpec, withDefaults } from '../../../crds/index.js';
import type { LeaderElectionResource, LeaderElectionStatus } from '../../../imports/index.js';
import { leadingCandidate } from '../../../operator/controllers/leader/election/leader.js';
import { strangers } from '../../../operator/controllers/leader/election/members.js';
import { stepOf } from '../../../operator/controllers/leader/plan/index.js';
import { statusOf } from '../../../operator/controllers/leader/report.js';
import { situationOf } from '../../../operator/controllers/leader/situation.js';
import type { ElectionOutcome, ElectionPolled } from '../../../operator/controllers/leader/view.js';
import { noCalls } from '../../../operator/runtime/ports/external-call.js';
import type { ElectionWorld } from './election-world.js';

const spec = withDefaults(leaderElectionSpec, {
  selector: { app: 'cache' },
  service: 'cache',
  application: { redis: {} },
});

/** What stays when a process of the operator ends. */
export interface Kept {
  status: Partial<LeaderElectionStatus>;
  /** Grows with each time that the election was created. */
  uid: number;
  switchover?: string | undefined;
}

/** One process of the operator. It knows what it polled, and when it saw the Lease change. */
export class PlannedElection {
  #polled: ElectionPolled = {
    lease: undefined,
    roles: undefined,
    launchers: undefined,
    hooks: undefined,
    redis: undefined,
  };
  #seen = { version: Number.NaN, since: 0 };

  constructor(
    private readonly world: ElectionWorld,
    private readonly kept: Kept,
    private readonly say: (what: string) => void,
  ) {}

  /** Observes the Lease and the annotations, and the launchers if asked for: those of silent Pods take long. */
  poll(isWhole: boolean): void {
    const { world } = this;
    const { version } = world.lease;
    if (version !== this.#seen.version) this.#seen = { version, since: world.seconds };
    const roles = Object.fromEntries(world.pods.map(({ name, role }) => [name, role]));
    const heard = world.pods.filter(({ process }) => !process.isFrozen && !process.isCut);
    const silent = world.pods.filter((pod) => !heard.includes(pod)).map(({ name }) => [name, 'no answer']);
    const reports = Object.fromEntries(heard.map(({ name, process }) => [name, process.report]));
    this.#polled = {
      ...this.#polled,
      lease: this.#answer(world.leaseSeen(this.#seen.since)),
      roles: this.#answer({ pods: roles }),
      ...(isWhole && { launchers: this.#answer({ reports, silent: Object.fromEntries(silent) }) }),
    };
  }

  #answer<A>(value: A) {
    return { known: true, value, at: this.world.epoch + this.world.seconds * 1_000, earlier: [] } as const;
  }

  /** One reconcile. */
  act(): void {
    const { world, kept } = this;
    const outcome = this.#outcome();
    const situation = situationOf(outcome);
    const step = stepOf(situation);
    if (step.does === 'assign') {
      this.say(
        `${step.why} ${step.pods.map(({ name, role }) => `${name} ${JSON.parse(role ?? '{}').role}`).join(', ')}`,
      );
      world.assign(step.pods);
    }
    if (step.does === 'elect') {
      this.say(`elects ${step.holder} in term ${step.term}`);
      world.elect({ over: Number(step.over.version), term: step.term, holder: step.holder });
    }
    kept.status = statusOf(outcome, situation, step);
    if (step.does === 'assign' || step.does === 'elect') this.poll(false);
  }

  /** The Pods that it leaves alone, because they have data that does not belong to the election. */
  get strangers(): readonly string[] {
    const { lease, candidates, memory } = situationOf(this.#outcome());
    const leader = leadingCandidate(lease, candidates);
    return leader ? strangers({ candidates, names: memory.names, leader }).map(({ name }) => name) : [];
  }

  get isResting(): boolean {
    return stepOf(situationOf(this.#outcome())).does === 'rest';
  }

  #outcome(): ElectionOutcome {
    const { world, kept } = this;
    const annotations =
      kept.switchover === undefined ? {} : { annotations: { 'reconstruct.dev/switchover': kept.switchover } };
    const resource = {
      metadata: { name: 'cache', namespace: 'shop', uid: `election ${kept.uid}`, ...annotations },
      spec,
      status: kept.status,
    };
    const pods = world.pods.map(({ name, uid }) => {
      return { name, uid, address: `10.0.0.${uid}`, isReady: true, isEnding: false, created: '', labels: {} };
    });
    return {
      ...{ resource: resource as unknown as LeaderElectionResource, polled: this.#polled, calls: noCalls },
      ...{ reads: { pods, nodes: [], rivals: [], authority: undefined }, owned: { of: () => [] } },
      now: new Date(world.epoch + world.seconds * 1_000),
    };
  }
}
