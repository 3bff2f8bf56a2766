import type { Prerequisite, RecordChange, RecordType, ZoneUpdate } from '../../dns/dns-records.js';
import { classes, encodeMessage, type NewRecord, opcodes, types } from './message.js';
import { canonicalName, nameInZone } from './names.js';
import { readValue, typeCode, writeValue } from './records.js';
import { InvalidInputError, Reader, Writer } from './wire.js';

const longestTtl = 2 ** 31 - 1;

/**
 * The bytes of an update without a signature.
 *
 * @param id 0 to 65535
 * @throws {InvalidInputError} if a name, a value or a TTL has no form on the wire, or a name is not in the zone
 * @see https://www.rfc-editor.org/rfc/rfc2136
 */
export function encodeUpdate({ zone, requires = [], changes }: ZoneUpdate, id: number): Buffer {
  const apex = canonicalName(zone, 'zone');
  return encodeMessage({
    id,
    opcode: opcodes.update,
    question: { name: apex, type: types.soa, class: classes.in },
    answers: requires.flatMap((one) => prerequisiteRecords(one, nameInZone(one.name, apex))),
    authorities: changes.flatMap((one) => changeRecords(one, nameInZone(one.name, apex))),
  });
}

/**
 * The form in which answers contain a value: lower-case names without the final dot, short IPv6 addresses, plain text if
 * possible. Two values of one record have the same form.
 *
 * @throws {InvalidInputError} if the text is no value of the type
 */
export function canonicalValue(type: RecordType, value: string): string {
  const writer = new Writer();
  writeValue(writer, type, value);
  return readValue(new Reader(writer.bytes), type);
}

function prerequisiteRecords(one: Prerequisite, name: string): readonly NewRecord[] {
  switch (one.require) {
    case 'nxdomain':
      return [{ name, type: types.any, class: classes.none, ttl: 0 }];
    case 'yxdomain':
      return [{ name, type: types.any, class: classes.any, ttl: 0 }];
    case 'nxrrset':
      return [{ name, type: typeCode(one.type), class: classes.none, ttl: 0 }];
    case 'yxrrset':
      if (!one.values) return [{ name, type: typeCode(one.type), class: classes.any, ttl: 0 }];
      return recordsOf(one.type, required(one.values), { name, class: classes.in, ttl: 0 });
    default:
      throw unsupported('require', one, ['nxdomain', 'yxdomain', 'nxrrset', 'yxrrset']);
  }
}

function changeRecords(one: RecordChange, name: string): readonly NewRecord[] {
  const { type, values } = one;
  switch (one.action) {
    case 'set':
      return [{ name, type: typeCode(type), class: classes.any, ttl: 0 }, ...addedRecords(one, name)];
    case 'add':
      required(values);
      return addedRecords(one, name);
    case 'remove':
      return recordsOf(type, required(values), { name, class: classes.none, ttl: 0 });
    default:
      throw unsupported('action', one, ['set', 'add', 'remove']);
  }
}

function addedRecords({ type, ttl, values }: RecordChange & { readonly ttl: number }, name: string) {
  if (!Number.isInteger(ttl) || ttl < 0 || ttl > longestTtl)
    throw new InvalidInputError(`ttl: Invalid value: ${ttl}: must be an integer from 0 to ${longestTtl} seconds`);
  if (type === 'CNAME' && values.length > 1)
    throw new InvalidInputError(`values: Too many: ${values.length}: must have at most 1 for a CNAME`);
  return recordsOf(type, values, { name, class: classes.in, ttl });
}

function recordsOf(
  type: RecordType,
  values: readonly string[],
  record: Pick<NewRecord, 'name' | 'class' | 'ttl'>,
): readonly NewRecord[] {
  return values.map((value) => ({
    ...record,
    type: typeCode(type),
    write: (writer) => writeValue(writer, type, value),
  }));
}

/** Without values, a prerequisite would hold always, and a change would do nothing. */
function required(values: readonly string[]): readonly string[] {
  if (values.length === 0) throw new InvalidInputError('values: Required value: must have at least one');
  return values;
}

function unsupported(field: 'action' | 'require', one: object, known: readonly string[]): InvalidInputError {
  const value = JSON.stringify((one as Readonly<Record<string, unknown>>)[field]);
  return new InvalidInputError(`${field}: Unsupported value: ${value}: must be ${known.join(', ')}`);
}
