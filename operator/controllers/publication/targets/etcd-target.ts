import { hash } from 'node:crypto';
import type { EtcdKeysAnswer, EtcdKeysRequest } from '../ports/etcd.js';
import type { Permission, TargetReading } from './target-reading.js';

/** The keys of a name, as etcd has them, and as they should be. */
export interface EtcdTarget extends Permission {
  readonly endpoints: readonly string[];
  readonly key: string;
  /** The value of the key that tells the owner. */
  readonly owner: string;
  /** The prefix of the last segment of the publication's keys. */
  readonly prefix: string;
  /** The port is absent for records without one. */
  readonly wanted: readonly { readonly address: string; readonly port?: number | undefined }[];
  /** Seconds. */
  readonly ttl: number;
  readonly answer: EtcdKeysAnswer;
}

/** Operations of one transaction, besides that of the owner key. */
const mostOperations = 120;

/** The key that tells the owner of a key. It is outside of the part that CoreDNS reads. */
export function ownerKeyOf(key: string): string {
  return `/reconstruct.dev/owners${key}`;
}

/** Reads the keys of a name. The transaction compares the owner, so that keys of others are never touched. */
export function readEtcd(target: EtcdTarget): TargetReading {
  const { endpoints, key, answer, owner, prefix, mayDelete, takeOver } = target;
  const own = Object.keys(answer.values).filter((one) => one.startsWith(`${key}/${prefix}`));
  const isOurs = answer.owner === owner;
  const none = {
    records: isOurs ? own.length : 0,
    differences: [],
    failed: [],
    held: isOurs ? [key] : [],
    request: undefined,
  };
  const isEmpty = target.wanted.length === 0;
  if (isEmpty && !isOurs) return { ...none, blocked: [], ...leftIn(target, own) };
  const blocked = isEmpty ? undefined : blockedBy(target);
  if (blocked !== undefined) return { ...none, blocked: [blocked] };
  const wanted = wantedKeys(target);
  const put = Object.entries(wanted).filter(([name, value]) => answer.values[name] !== value);
  const stale = mayDelete ? own.filter((name) => !Object.hasOwn(wanted, name)) : [];
  const isTaken = !isOurs && answer.owner !== undefined && answer.owner === takeOver;
  const isLast = isEmpty && mayDelete && stale.length <= mostOperations;
  const first = put.slice(0, mostOperations);
  const gone = [...stale.slice(0, mostOperations - first.length), ...(isLast ? [ownerKeyOf(key)] : [])];
  const claims = !isEmpty && !isOurs;
  const request: EtcdKeysRequest = {
    endpoints,
    requires: [
      isOurs || isTaken
        ? { key: ownerKeyOf(key), is: 'equal', value: answer.owner ?? '' }
        : { key: ownerKeyOf(key), is: 'absent' },
    ],
    put: { ...(claims && { [ownerKeyOf(key)]: owner }), ...Object.fromEntries(first) },
    delete: gone,
  };
  const isChanged = claims || first.length > 0 || gone.length > 0;
  const differences = [
    ...put.map(([name, value]) => `put ${name}: ${value}`),
    ...stale.map((name) => `delete ${name}`),
  ];
  return { ...none, blocked: [], differences, request: isChanged ? { type: 'etcd', request } : undefined };
}

/**
 * Keys of the publication without its owner key: a call that was on its way has written them just before another one removed
 * the owner key. Their names tell whose they are.
 */
function leftIn(
  { endpoints, key, answer, mayDelete }: EtcdTarget,
  own: readonly string[],
): Pick<TargetReading, 'held' | 'request' | 'differences'> | undefined {
  if (own.length === 0 || !mayDelete) return undefined;
  const ownerKey = ownerKeyOf(key);
  const requires: EtcdKeysRequest['requires'] = [
    answer.owner === undefined ? { key: ownerKey, is: 'absent' } : { key: ownerKey, is: 'equal', value: answer.owner },
  ];
  const request: EtcdKeysRequest = { endpoints, requires, put: {}, delete: own.slice(0, mostOperations) };
  return { held: [key], differences: own.map((name) => `delete ${name}`), request: { type: 'etcd', request } };
}

/** The keys of the addresses, in the layout of SkyDNS. */
function wantedKeys({ key, prefix, wanted, ttl }: EtcdTarget): Readonly<Record<string, string>> {
  const entries = wanted.map(({ address, port }) => {
    const name = `${key}/${prefix}${hash('sha256', `${address} ${port ?? ''}`, 'hex').slice(0, 12)}`;
    return [name, JSON.stringify({ host: address, ...(port !== undefined && { port }), ttl })] as const;
  });
  return Object.fromEntries(entries);
}

function blockedBy({ key, owner, answer, takeOver }: EtcdTarget): string | undefined {
  if (answer.owner !== undefined && answer.owner !== owner && answer.owner !== takeOver)
    return `${key} belongs to "${answer.owner}"`;
  return Object.hasOwn(answer.values, key) ? `${key} has a value of its own, which CoreDNS would serve too` : undefined;
}
