import { isOwner } from '../names/owner.js';
import { ownerName } from '../names/record-names.js';
import type { DnsEndpoint, WebhookAnswer, WebhookRequest } from '../ports/webhook.js';
import { type Permission, type TargetReading, unowned } from './target-reading.js';
import type { WantedRecords } from './wanted-records.js';

/** Names at a webhook of external-dns, as its provider has them, and as they should be. */
export interface WebhookTarget extends Permission {
  readonly url: string;
  readonly caBundle?: string | undefined;
  readonly zone: string;
  /** The value of the owner records, without quotes. */
  readonly owner: string;
  readonly wanted: readonly WantedRecords[];
  /** The names to judge: the wanted ones, and those that the publication may have written earlier. */
  readonly names: readonly string[];
  readonly answer: WebhookAnswer;
}

const types = ['A', 'AAAA', 'CNAME'] as const;

/** The names to ask for: those of the records, and those of their owners. */
export function webhookNames(names: readonly string[], zone: string): readonly string[] {
  const all = names.flatMap((name) => [name, ...types.map((type) => ownerName(name, type, zone))]);
  return [...new Set(all)].toSorted();
}

/** The records that should exist, in the words of external-dns, with those of their owners. */
export function webhookEndpoints(
  wanted: readonly WantedRecords[],
  { zone, owner, ttl }: { readonly zone: string; readonly owner: string; readonly ttl: number },
): readonly DnsEndpoint[] {
  return wanted.flatMap(({ name, type, values }): DnsEndpoint[] => [
    { dnsName: name, recordType: type, targets: values, recordTTL: ttl },
    { dnsName: ownerName(name, type, zone), recordType: 'TXT', targets: [`"${owner}"`], recordTTL: ttl },
  ]);
}

interface Changes {
  readonly create: DnsEndpoint[];
  readonly updateOld: DnsEndpoint[];
  readonly updateNew: DnsEndpoint[];
  readonly delete: DnsEndpoint[];
}

/** Reads the names of a webhook. The protocol has no prerequisites, so the owners are those of the answer. */
export function readWebhook(target: WebhookTarget): TargetReading {
  const { url, caBundle, names, answer, wanted } = target;
  const changes: Changes = { create: [], updateOld: [], updateNew: [], delete: [] };
  const found = { records: 0, held: [] as string[], blocked: [] as string[], differences: [] as string[] };
  for (const name of names) {
    const blocked = blockedAt(name, target);
    found.blocked.push(...blocked);
    const own = types.filter((type) => isOurs(name, type, target));
    if (own.length > 0) found.held.push(name);
    found.records += own.reduce((sum, type) => sum + (at(answer.endpoints, name, type)?.targets.length ?? 0), 0);
    if (blocked.length === 0)
      for (const type of types) collect(name, type, { target, changes, differences: found.differences });
  }
  const excluded = answer.excluded.filter((name) => wanted.some((one) => one.name === name));
  const unsupported = wanted.filter((one) => !excluded.includes(one.name) && !at(answer.adjusted, one.name, one.type));
  const failed = [
    ...excluded.map((name) => `${name} is excluded by the domain filter of the webhook`),
    ...unsupported.map(({ name, type }) => `the provider does not support ${type} ${name}`),
  ];
  const request: WebhookRequest = { url, ...(caBundle !== undefined && { caBundle }), ...filled(changes) };
  const isEmpty = Object.values(changes).every((list) => list.length === 0);
  return { ...found, failed, request: isEmpty ? undefined : { type: 'webhook', request } };
}

function collect(
  name: string,
  type: (typeof types)[number],
  { target, changes, differences }: { target: WebhookTarget; changes: Changes; differences: string[] },
): void {
  const { answer, zone, mayDelete, wanted } = target;
  const isWanted = wanted.some((one) => one.name === name && one.type === type);
  const isReplaced = wanted.some((one) => one.name === name);
  const txt = ownerName(name, type, zone);
  const pairs = [
    [at(answer.endpoints, name, type), at(answer.adjusted, name, type)],
    [at(answer.endpoints, txt, 'TXT'), at(answer.adjusted, txt, 'TXT')],
  ] as const;
  if (!isWanted) {
    if (!isOurs(name, type, target) || !(mayDelete || isReplaced)) return;
    changes.delete.push(...pairs.flatMap(([live]) => live ?? []));
    differences.push(`${type} ${name}: remove ${pairs[0][0]?.targets.join(', ') ?? 'its owner record'}`);
    return;
  }
  // The provider supports neither or both.
  if (pairs.some(([, adjusted]) => !adjusted)) return;
  for (const [live, adjusted] of pairs) {
    if (!adjusted || (live && isSame(live, adjusted))) continue;
    if (live) {
      changes.updateOld.push(live);
      changes.updateNew.push(adjusted);
    } else changes.create.push(adjusted);
    const before = live?.targets.join(', ') ?? 'nothing';
    differences.push(`${adjusted.recordType} ${adjusted.dnsName}: ${before} becomes ${adjusted.targets.join(', ')}`);
  }
}

/** What others own among the records that a wanted name needs, or that exclude it. */
function blockedAt(name: string, target: WebhookTarget): readonly string[] {
  const { answer, wanted, takeOver } = target;
  const own = wanted.filter((one) => one.name === name);
  if (own.length === 0) return [];
  const isAlias = own.some(({ type }) => type === 'CNAME');
  return types.flatMap((type) => {
    const isNeeded = own.some((one) => one.type === type) || isAlias || type === 'CNAME';
    const live = at(answer.endpoints, name, type);
    const owner = ownerOf(name, type, target);
    const isFree = owner === target.owner || (owner !== undefined && owner === takeOver);
    if (!isNeeded || isFree) return [];
    if (owner !== undefined && (live || own.some((one) => one.type === type)))
      return [`${type} ${name} belongs to "${owner}"`];
    if (!live || takeOver === unowned) return [];
    return [`${type} ${name} has ${live.targets.slice(0, 3).join(', ')} without an owner record`];
  });
}

function isOurs(name: string, type: string, target: WebhookTarget): boolean {
  return ownerOf(name, type, target) === target.owner;
}

/** The owner of records: under the name with their type, or, as older versions of external-dns have it, under their own. */
function ownerOf(name: string, type: string, { answer, zone }: WebhookTarget): string | undefined {
  const texts = [ownerName(name, type, zone), name].flatMap((txt) => at(answer.endpoints, txt, 'TXT')?.targets ?? []);
  return texts.map(unquoted).find(isOwner);
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, '$1');
}

/** Some providers return names with a final dot or upper-case letters. */
function at(endpoints: readonly DnsEndpoint[], name: string, type: string): DnsEndpoint | undefined {
  return endpoints.find((one) => one.dnsName.toLowerCase().replace(/\.$/, '') === name && one.recordType === type);
}

/** A provider that returns no TTL has one of its own. */
function isSame(live: DnsEndpoint, wanted: DnsEndpoint): boolean {
  const [one, other] = [live, wanted].map(({ targets }) => targets.map(unquoted).toSorted().join(' '));
  const isSameTtl = !live.recordTTL || !wanted.recordTTL || live.recordTTL === wanted.recordTTL;
  return one === other && isSameTtl;
}

function filled(changes: Changes): Partial<Changes> {
  return Object.fromEntries(Object.entries(changes).filter(([, list]) => list.length > 0));
}
