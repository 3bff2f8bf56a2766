import { randomBytes } from 'node:crypto';
import { listed } from '../../cluster/api.js';
import { type LivePod, Node } from '../../cluster/kinds.js';
import { acknowledgedIn, countOf, longestPause, missingFrom, type Range } from '../client/ledger.js';
import { Probers } from '../client/probers.js';
import { Writer } from '../client/writer.js';
import { isWell, type TriedDatabase } from './tried-database.js';

/** What was counted while something happened. */
export interface Endured {
  /** The longest time without an acknowledged row, in seconds. */
  readonly pause: number;
  /** Rows that were acknowledged meanwhile. */
  readonly acknowledged: number;
  /** Rows that were acknowledged to any writer so far, and are not there. */
  readonly lost: readonly string[];
  /** Moments at which two instances took writes meanwhile. */
  readonly overlaps: readonly string[];
}

/** The invariants. */
export const nothing = { lost: [], overlaps: [] } as const satisfies Partial<Endured>;

/** Those who write to a Database, and ask who takes writes, while something is done to it. */
export class Witnesses {
  readonly #writers: Writer[] = [];
  #probers: Probers | undefined;

  constructor(readonly database: TriedDatabase) {}

  /**
   * Does something while rows are written, and counts. Before and after it the Database is well and rows are written.
   * @param act gets the primary of that moment; nothing may happen to the writer, which is on another node
   */
  async endure(what: string, act: (primary: LivePod, writer: Writer) => Promise<void>): Promise<Endured> {
    const { database } = this;
    await database.until(`it is well before ${what}`, isWell, 180);
    this.#probers ??= await Probers.start(database.namespace, database.name);
    const primary = await database.primary();
    const writer = await this.write(what, primary.spec.nodeName);
    const began = Date.now();
    await act(primary, writer);
    await database.until(`it is well after ${what}`, isWell, 240);
    await writer.untilRows(50);
    await writer.stop();
    await this.#probers.read();
    return {
      pause: longestPause(writer.periods, began) / 1000,
      acknowledged: countOf(acknowledgedIn(writer.periods)),
      lost: await this.lost(),
      overlaps: this.#probers.overlaps(began),
    };
  }

  /** Starts a writer. @param but a node that it must not be on */
  async write(what: string, but?: string): Promise<Writer> {
    const { namespace, name: database } = this.database;
    const isUp = ({ status }: { readonly status?: { readonly conditions?: readonly object[] } }) =>
      status?.conditions?.some(
        (one) => 'type' in one && 'status' in one && one.type === 'Ready' && one.status === 'True',
      );
    const node = (await listed(Node)).filter(isUp).find(({ metadata }) => metadata.name !== but)?.metadata.name ?? '';
    const name = `${what.replaceAll(/[^a-z0-9]+/g, '-')}-${randomBytes(2).toString('hex')}`;
    const writer = await Writer.start({ namespace, database, name, node });
    this.#writers.push(writer);
    return writer;
  }

  /**
   * Rows that were acknowledged to any writer, as far as was read, and are not there.
   * @param database where they are to be, if not where they were written
   */
  async lost(database = this.database): Promise<readonly string[]> {
    const there = await rowsOf(database);
    return this.#writers.flatMap(({ props: { name }, periods }) =>
      missingFrom(there.get(name) ?? [], acknowledgedIn(periods)).map(([first, last]) => `${first}–${last} of ${name}`),
    );
  }
}

/** The numbers of the rows that are there, by their writer. @param instance that is asked; the primary, if none */
export async function rowsOf(
  database: TriedDatabase,
  instance?: string,
): Promise<ReadonlyMap<string, readonly Range[]>> {
  const islands = 'SELECT writer, n, n - row_number() OVER (PARTITION BY writer ORDER BY n) AS island FROM numbers';
  const query = `SELECT writer, min(n), max(n) FROM (${islands}) AS told GROUP BY writer, island ORDER BY 1, 2`;
  const there = new Map<string, Range[]>();
  for (const line of (await database.sql(query, instance)).split('\n')) {
    const [writer = '', first, last] = line.split(' ');
    there.set(writer, [...(there.get(writer) ?? []), [Number(first), Number(last)]]);
  }
  return there;
}

/** What was counted, in a line. */
export function told({ pause, acknowledged, lost, overlaps }: Endured): string {
  return [
    `${pause.toFixed(1)} s without writes`,
    `${acknowledged} rows acknowledged`,
    `${lost.length} stretches of rows lost${inBrackets(lost)}`,
    `${overlaps.length} times two primaries${inBrackets(overlaps)}`,
  ].join(', ');
}

function inBrackets(told: readonly string[]): string {
  return told.length > 0 ? ` (${told.join(', ')})` : '';
}
