import { stringify } from 'yaml';
import type { Manifest } from '../../operator/index.js';
import type { Loose } from '../given.js';
import type { Sent } from './recorded-cluster.js';
import { reconciled, type World } from './world.js';

/** Fields of metadata that the API server sets. */
const volatile = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields'];

/** What a stage of a world became, as a text that stays the same if the objects do. The next stage begins. */
export function textOf({ cluster }: Pick<World, 'cluster'>): string {
  const { sent, removed } = cluster;
  cluster.sent = [];
  cluster.removed = [];
  const own = sent.filter(({ subresource, object }) => !subresource && object.kind !== 'Event');
  return [
    ...section('sent', own.map(objectText)),
    ...section('removed', removed),
    ...section('conditions', sent.flatMap(conditionLines)),
    ...section('events', sent.flatMap(eventLine)),
    ...section(
      'status',
      reconciled.flatMap((kind) => [...cluster.peek(kind).values()].map(statusText)),
    ),
  ].join('\n');
}

/** Each entry once. The order of writes may change, and so may their number. */
function section(title: string, entries: readonly string[]): readonly string[] {
  return [`## ${title}`, '', ...[...new Set(entries)].toSorted(), ''];
}

function titleOf({ kind, metadata: { namespace, name } }: Manifest): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

function objectText({ object }: Sent): string {
  const metadata = Object.fromEntries(Object.entries(object.metadata).filter(([name]) => !volatile.includes(name)));
  return `--- ${titleOf(object)}\n${yaml({ ...object, metadata })}`;
}

function statusText(object: Manifest): string {
  return `--- ${titleOf(object)}\n${yaml({ status: (object as Loose<Manifest>)['status'] })}`;
}

function conditionLines({ object, subresource }: Sent): readonly string[] {
  if (!subresource) return [];
  const conditions: readonly Loose<object>[] = (object as Loose<Manifest>)['status']?.conditions ?? [];
  return conditions.map(
    ({ type, status, reason, message }) => `${titleOf(object)}: ${type}=${status} ${reason}: ${message}`,
  );
}

function eventLine({ object }: Sent): readonly string[] {
  if (object.kind !== 'Event') return [];
  const { regarding, type, reason, action, note } = object as Loose<Manifest>;
  return [`${regarding.kind} ${regarding.name}: ${type} ${reason} ${action}: ${note}`];
}

function yaml(value: object): string {
  return stringify(value, { sortMapEntries: true, lineWidth: 0 });
}
