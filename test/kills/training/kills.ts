import { alignedRows } from '../../../cli/output/aligned-rows.js';
import { deleteByForce } from '../../e2e/cluster/faults.js';
import { givePrograms, type RankPlace, small, TriedTraining } from '../../e2e/training/tried-training.js';
import { distributionOf } from '../distribution.js';
import type { KillsProps, KillsResult, SystemKills } from '../system-kills.js';

/** What `npm run kills` does to this system. */
export const kills = {
  victims: 'ranks of a TrainingJob',
  counted: 'steps',
  pauses: 'secondsToNextStep',
  run: trainingKills,
} satisfies SystemKills;

/** A fault, and what it cost. */
export interface Endured {
  readonly what: string;
  readonly spares: number;
  /** Seconds until the next step. */
  readonly seconds: number;
  /** Steps that were done twice. */
  readonly lost: number;
}

interface Fault {
  readonly what: string;
  readonly bring: (job: TriedTraining, rank: RankPlace) => Promise<unknown>;
}

const faults: readonly [Fault, ...Fault[]] = [
  { what: 'process killed', bring: (job, { pod }) => job.signal(pod, 'KILL') },
  { what: 'Pod deleted by force', bring: deletePod },
  { what: 'process stopped', bring: (job, { pod }) => job.signal(pod, 'STOP') },
  { what: 'loss is NaN', bring: (job, { pod }) => job.tell(pod, 'nan') },
];

async function deletePod(job: TriedTraining, { pod }: RankPlace): Promise<void> {
  const found = (await job.pods()).find(({ metadata }) => metadata.name === pod);
  if (!found) throw new Error(`there is no Pod ${pod}`);
  await deleteByForce(found);
}

/**
 * Gives ranks of a TrainingJob faults, all kinds in turn, each to a rank at random. The second half has a spare. Only steps
 * that were done twice are lost.
 */
async function trainingKills(namespace: string, { kills, say, signal }: KillsProps): Promise<KillsResult> {
  await givePrograms(namespace);
  await using job = new TriedTraining(namespace, 'digits', {
    ...{ ...small({ STEPS: 10_000_000, STEP_PAUSE: 0.1 }), workers: 3 },
    ...{ checkpoint: { size: '64Mi', every: 20, deletionPolicy: 'Delete' } },
    // The pauses after repeated NaN are chosen by a user, and are no cost of the recovery.
    restarts: { perWindow: 900, fullPerWindow: 100, avoidNodeAfter: 20, spike: { backoff: '0s' } },
  });
  await job.apply();
  const { rendezvous: first = 0 } = await job.untilTraining({ within: 240 });
  const endured: Endured[] = [];
  for (let count = 1; count <= kills && !signal.aborted; count++) {
    const spares = count > kills / 2 ? 1 : 0;
    if (job.spec.spares !== spares) await job.apply({ spares });
    await untilReady(job, 3 + spares);
    const { what, bring } = faults[count % faults.length] ?? faults[0];
    const rank = anyOf(await job.ranks(), spares);
    const { seconds, lost } = await job.recovery(() => bring(job, rank));
    endured.push({ what, spares, seconds, lost });
    const cost = `${seconds.toFixed(2)} s to the next step, ${lost} steps lost`;
    say(`${count} of ${kills}: ${what}, rank ${rank.rank} in ${rank.pod}, ${spares} spares, ${cost}`);
  }
  const { rendezvous: last = 0 } = await job.status();
  return {
    pauses: endured.map(({ seconds }) => seconds),
    ...{ acknowledged: job.steps().at(-1)?.step ?? 0, changes: last - first, lost: [] },
    table: costTable(endured),
  };
}

/** A spare is ready when its process has had time to import PyTorch and to build its model. */
async function untilReady(job: TriedTraining, pods: number): Promise<void> {
  const are = async () => {
    const all = await job.pods();
    const processes = await Promise.all(all.map(({ metadata }) => job.signal(metadata.name).catch(() => [])));
    return all.length === pods && processes.every(({ length }) => length === 1);
  };
  await job.until(`all of ${pods} Pods have a process`, are, 180);
  await new Promise((done) => setTimeout(done, pods > 3 ? 10_000 : 0));
}

/**
 * A spare that takes the rank of the Pod with the volume cannot write checkpoints, so that Pod has no faults while there is
 * one.
 */
function anyOf(ranks: readonly RankPlace[], spares: number): RankPlace {
  const possible = ranks.filter(({ pod }) => spares === 0 || !pod.startsWith('digits-0-'));
  const rank = possible[Math.floor(Math.random() * possible.length)];
  if (rank) return rank;
  throw new Error(`no rank can have a fault: ${JSON.stringify(ranks)}`);
}

/** The costs by fault and number of spares. */
export function costTable(endured: readonly Endured[]): readonly string[] {
  const keyOf = ({ what, spares }: Endured) => `${what} ${spares}`;
  const rows = [...new Set(endured.map(keyOf))].map((key) => {
    const all = endured.filter((one) => keyOf(one) === key);
    const seconds = distributionOf(all.map((one) => one.seconds));
    const lost = distributionOf(all.map((one) => one.lost));
    const [{ what, spares } = { what: '', spares: 0 }] = all;
    const times = [seconds.median, seconds.p90, seconds.most].map((time) => time.toFixed(2));
    return [what, `${spares}`, `${all.length}`, ...times, `${lost.median}`, `${lost.most}`];
  });
  return alignedRows([
    ['FAULT', 'SPARES', 'TIMES', 'MEDIAN SECONDS', 'P90', 'MOST', 'MEDIAN STEPS LOST', 'MOST'],
    ...rows,
  ]);
}
