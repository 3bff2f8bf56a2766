import { managerPrefix } from './well-known-names.js';

/** An entry of the managed fields of an object, as far as it tells who wrote when. */
export interface FieldWriter {
  readonly manager?: string;
  readonly subresource?: string;
  /** RFC 3339, whole seconds. */
  readonly time?: string;
}

/** By object, because nothing else of the managed fields is kept. */
const writers = new WeakMap<object, string>();

/** Records who wrote an object last. @param entries all managed fields of it */
export function noteWriter(object: object, entries: readonly FieldWriter[]): void {
  const writer = lastForeignWriter(entries);
  if (writer !== undefined) writers.set(object, writer);
}

/** A copy of an object has the same last writer. */
export function copyWriter(from: object, to: object): void {
  const writer = writers.get(from);
  if (writer !== undefined) writers.set(to, writer);
}

/**
 * The field manager that wrote an object last, other than its status. Undefined if that was one of ours, or if it is not
 * known: two managers wrote it in the same second.
 */
export function lastWriterOf(object: object): string | undefined {
  return writers.get(object);
}

function lastForeignWriter(entries: readonly FieldWriter[]): string | undefined {
  const timed = entries.filter(({ subresource, time }) => subresource !== 'status' && time !== undefined);
  const last = timed.reduce((latest, { time = '' }) => (time > latest ? time : latest), '');
  const [writer, ...others] = timed.filter(({ time }) => time === last).map(({ manager }) => manager);
  return others.length > 0 || writer?.startsWith(managerPrefix) ? undefined : writer;
}
