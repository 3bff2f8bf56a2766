import type { DatabaseSpecInput } from '../../../imports/index.js';
import { small, TriedDatabase } from '../../e2e/database/given/tried-database.js';
import { told, Witnesses } from '../../e2e/database/given/witnesses.js';
import type { KillsProps, KillsResult, SystemKills } from '../system-kills.js';
import { killedBy, wayOf } from '../ways.js';

/** What `npm run kills` does to this system. */
export const kills = {
  victims: 'the primary of a Database',
  counted: 'rows',
  pauses: 'secondsWithoutWrites',
  run: databaseKills,
} satisfies SystemKills;

const spec: DatabaseSpecInput = { ...small, synchronous: { mode: 'Quorum', replicas: 1, durability: 'Required' } };

/** Kills the primary of a Database again and again, and counts what its writers were promised. */
async function databaseKills(namespace: string, { kills, say, signal }: KillsProps): Promise<KillsResult> {
  const orders = new TriedDatabase(namespace, 'orders', spec);
  await orders.begin();
  const witnesses = new Witnesses(orders);
  const pauses: number[] = [];
  const overlaps: string[] = [];
  let [acknowledged, changes, lost] = [0, 0, [] as readonly string[]];
  for (let count = 1; count <= kills && !signal.aborted; count++) {
    const way = wayOf(count);
    const before = (await orders.primary()).metadata.name;
    const endured = await witnesses.endure(`kill ${count}`, (primary) => killedBy(way, primary));
    const after = (await orders.primary()).metadata.name;
    pauses.push(endured.pause);
    overlaps.push(...endured.overlaps);
    acknowledged += endured.acknowledged;
    changes += Number(after !== before);
    lost = endured.lost;
    say(`${count} of ${kills}: ${before} ${way.what}, ${after} leads, ${told(endured)}`);
  }
  return { pauses, acknowledged, changes, lost, overlaps };
}
