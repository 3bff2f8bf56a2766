import type { RrsetName } from '../../../dns/dns-names.js';
import type { RecordsAnswer } from '../../../dns/dns-records.js';
import type { Clock } from '../../../runtime/ports/clock.js';

/** Milliseconds for which a serial number answers further questions. */
const fresh = 1_000;
/** Milliseconds after which records are queried again, whatever the serial number, for servers that leave it as it is. */
const longest = 3_600_000;
/** Zones that are remembered. */
const mostZones = 256;
/** RRsets of one zone that are remembered. */
const mostRrsets = 50_000;

/** How a zone is read. */
export interface ZoneReader {
  /** The serial number in the SOA record. A server changes it with each change of the zone. */
  readonly serial: () => Promise<number>;
  /** The records of RRsets, in their order. */
  readonly records: (rrsets: readonly RrsetName[]) => Promise<readonly RecordsAnswer[]>;
}

/** What is known of a zone. */
interface Zone {
  /** The last serial number, and when it was asked for (monotonic). */
  serial?: { readonly at: number; readonly value: Promise<number> } | undefined;
  /** The serial number that the answers have. They may be newer, never older. */
  known?: number | undefined;
  readonly answers: Map<string, { readonly at: number; readonly answer: RecordsAnswer }>;
}

/**
 * Answers questions about zones that seldom change: one query for the serial number takes the place of those for all records.
 *
 * Guarantees: an answer is at most one second older than the question, and never older than a change that was reported by
 * {@link changed}. It assumes that a server gives each change of a zone another serial number. If one does not, the changes of
 * others show within an hour.
 */
export class ZoneAnswers {
  readonly #zones = new Map<string, Zone>();

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /**
   * @param key the zone and its server, and then the key of whoever asks, with a space between
   * @throws what the reader throws
   */
  async answersTo(key: string, rrsets: readonly RrsetName[], reader: ZoneReader): Promise<readonly RecordsAnswer[]> {
    const zone = this.#zone(key);
    const serial = await this.#serial(zone, reader);
    if (zone.known !== serial) zone.answers.clear();
    zone.known = serial;
    const now = this.clock.monotonic();
    const isKnown = (one: RrsetName) => now - (zone.answers.get(keyOf(one))?.at ?? Number.NEGATIVE_INFINITY) < longest;
    const known = new Map(rrsets.filter(isKnown).map((one) => [keyOf(one), zone.answers.get(keyOf(one))?.answer]));
    const unknown = rrsets.filter((one) => !known.has(keyOf(one)));
    const answers = unknown.length > 0 ? await reader.records(unknown) : [];
    for (const [index, answer] of answers.entries()) {
      const name = keyOf(unknown[index] ?? { name: '', type: 'A' });
      known.set(name, answer);
      // Another question may have seen a newer zone meanwhile, or a change may have ended.
      if (zone.known === serial && zone.answers.size < mostRrsets) zone.answers.set(name, { at: now, answer });
    }
    return rrsets.map((one) => known.get(keyOf(one)) ?? { values: [] });
  }

  /** A change of a zone has ended, with any result. @param place the zone and its server */
  changed(place: string): void {
    for (const key of [...this.#zones.keys()])
      if (key === place || key.startsWith(`${place} `)) this.#zones.delete(key);
  }

  #zone(key: string): Zone {
    const zone = this.#zones.get(key) ?? { answers: new Map() };
    this.#zones.delete(key);
    this.#zones.set(key, zone);
    const [oldest] = this.#zones.size > mostZones ? this.#zones.keys() : [];
    if (oldest !== undefined) this.#zones.delete(oldest);
    return zone;
  }

  async #serial(zone: Zone, { serial }: ZoneReader): Promise<number> {
    const { serial: last } = zone;
    // A failure concerns whoever asked, because that one may have given up.
    if (last && this.clock.monotonic() - last.at < fresh) {
      const known = await last.value.catch(() => undefined);
      if (known !== undefined) return known;
    }
    const value = serial();
    zone.serial = { at: this.clock.monotonic(), value };
    return value;
  }
}

function keyOf({ name, type }: RrsetName): string {
  return `${name.toLowerCase().replace(/\.$/, '')} ${type}`;
}
