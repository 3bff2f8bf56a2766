import { dnsNames } from '../../../../operator/dns/dns-names.js';
import {
  dnsRecords,
  type Prerequisite,
  type RecordChange,
  type RecordsAnswer,
  type RecordsQuestion,
  type RecordType,
} from '../../../../operator/dns/dns-records.js';
import { canonicalName, nameInZone } from '../../../../operator/engines/dns/names.js';
import { canonicalValue } from '../../../../operator/engines/dns/update.js';
import { CallError } from '../../../../operator/runtime/ports/external-call.js';
import { type PortModel, portModel } from '../../../../operator/testing/index.js';

/** The records of one name and type. */
interface ModelRrset {
  readonly name: string;
  readonly type: RecordType;
  readonly ttl: number;
  readonly values: readonly string[];
}

/** RRsets with values, of all servers. */
type ModelState = readonly ModelRrset[];

/** A DNS server with some zones, as pure functions. It passes the same contract as BIND. */
export function dnsModel(zones: readonly string[], state: ModelState = []): PortModel {
  return portModel(dnsRecords, {
    state,
    answer: (rrsets, question) => {
      mustHave(zones, question.zone);
      return answerOf(rrsets, question);
    },
    perform: (rrsets, { zone, requires = [], changes }) => {
      mustHave(zones, zone);
      for (const one of requires)
        if (!holds(rrsets, { ...one, name: nameInZone(one.name, zone) }))
          throw new CallError('terminal', `the server answered that the prerequisite ${one.require} does not hold`);
      return changes.reduce((now, one) => changed(now, { ...one, name: nameInZone(one.name, zone) }), rrsets);
    },
    showsWithin: 0,
  });
}

/**
 * The same server, for many names at once. A request of which it refuses only a part succeeds here, while the real source
 * reports the refusal too. Controllers look at the answers in both cases.
 */
export function dnsNamesModel(zones: readonly string[], state: ModelState = []): PortModel {
  return portModel(dnsNames, {
    state,
    answer: (rrsets, { zone, rrsets: asked }) => {
      mustHave(zones, zone);
      return { rrsets: asked.map((one) => answerOf(rrsets, { ...one, zone })) };
    },
    perform: (before, { zone, updates }) => {
      mustHave(zones, zone);
      let now = before;
      const accepted = updates.filter(({ requires = [], changes }) => {
        if (!requires.every((one) => holds(now, { ...one, name: nameInZone(one.name, zone) }))) return false;
        now = changes.reduce((all, one) => changed(all, { ...one, name: nameInZone(one.name, zone) }), now);
        return true;
      });
      if (accepted.length === 0)
        throw new CallError('retryable', `${updates[0]?.changes[0]?.name}: a prerequisite does not hold`, {
          mayHaveEffect: false,
        });
      return now;
    },
    showsWithin: 0,
  });
}

function mustHave(zones: readonly string[], zone: string): void {
  if (!zones.includes(canonicalName(zone, 'zone')))
    throw new CallError('terminal', 'the server answered NOTAUTH: the server must be authoritative for the zone');
}

function answerOf(
  rrsets: ModelState,
  { zone, name, type }: Pick<RecordsQuestion, 'zone' | 'name' | 'type'>,
): RecordsAnswer {
  const own = rrsets.filter((one) => one.name === nameInZone(name, zone));
  const found = own.find((one) => one.type === type);
  const [alias] = own.find((one) => one.type === 'CNAME')?.values ?? [];
  return {
    values: found?.values ?? [],
    ...(found && { ttl: found.ttl }),
    ...(alias !== undefined && { alias }),
  };
}

function holds(rrsets: ModelState, one: Prerequisite): boolean {
  const own = rrsets.filter(({ name }) => name === one.name);
  if (!('type' in one)) return own.length > 0 === (one.require === 'yxdomain');
  const found = own.find(({ type }) => type === one.type);
  if (one.require === 'nxrrset' || !found || !one.values) return (found !== undefined) === (one.require === 'yxrrset');
  return found.values.join('\n') === canonical(one.type, one.values).join('\n');
}

function changed(rrsets: ModelState, change: RecordChange): ModelState {
  const { name, type, action } = change;
  const found = rrsets.find((one) => one.name === name && one.type === type);
  const others = rrsets.filter((one) => one !== found);
  const given = canonical(type, change.values);
  if (action === 'remove') {
    const values = found?.values.filter((value) => !given.includes(value)) ?? [];
    return found && values.length > 0 ? [...others, { ...found, values }] : others;
  }
  // A CNAME beside other records is ignored, as are other records beside a CNAME.
  const isIgnored = others.some((one) => one.name === name && (one.type === 'CNAME' || type === 'CNAME'));
  const known = action === 'add' && type !== 'CNAME' ? (found?.values ?? []) : [];
  const values = canonical(type, [...known, ...given]);
  return isIgnored || values.length === 0 ? others : [...others, { name, type, ttl: change.ttl, values }];
}

function canonical(type: RecordType, values: readonly string[]): readonly string[] {
  return [...new Set(values.map((value) => canonicalValue(type, value)))].toSorted();
}
