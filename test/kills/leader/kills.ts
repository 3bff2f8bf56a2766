import { TriedElection } from '../../e2e/leader/tried-election.js';
import { Witnesses } from '../../e2e/leader/witnesses.js';
import type { KillsProps, KillsResult, SystemKills } from '../system-kills.js';
import { killedBy, wayOf } from '../ways.js';

/** What `npm run kills` does to this system. */
export const kills = {
  victims: 'the leader of a LeaderElection',
  counted: 'keys',
  pauses: 'secondsWithoutWrites',
  run: leaderKills,
} satisfies SystemKills;

/** The server that is killed: one without persistence. */
const server = 'redis-8';

/** Kills the leader of a LeaderElection again and again, while a client writes keys that a replica has to confirm. */
async function leaderKills(namespace: string, { kills, say, signal }: KillsProps): Promise<KillsResult> {
  const election = new TriedElection(namespace, server);
  await election.apply();
  await election.leader();
  await using witnesses = await Witnesses.start(election);
  const pauses: number[] = [];
  let changes = 0;
  for (let count = 1; count <= kills && !signal.aborted; count++) {
    const way = wayOf(count);
    const [leader, term] = [await election.leader(), await election.term()];
    const began = Date.now();
    await killedBy(way, leader);
    const after = await election.leader();
    await witnesses.writer.untilMore(20);
    const { longestGap, acknowledged } = witnesses.writer.sent(began);
    pauses.push(longestGap / 1_000);
    changes += Number((await election.term()) > term);
    const figures = `${longestGap} ms without a confirmed key, ${acknowledged.size} confirmed so far`;
    const second = witnesses.secondWriters().length;
    say(
      `${count} of ${kills}: ${leader.metadata.name} ${way.what}, ${after.metadata.name} leads, ${figures}, ${second} by a second writer`,
    );
  }
  const { confirmed, lost } = await witnesses.kept();
  return { pauses, acknowledged: confirmed, changes, lost, overlaps: witnesses.secondWriters() };
}
