import { secondsOf } from '../../../../crds/index.js';
import type { ServicePublicationResource } from '../../../../imports/index.js';
import { dnsLookup, type LookupQuestion } from '../../../dns/dns-lookup.js';
import { dnsNames, type NamesQuestion } from '../../../dns/dns-names.js';
import type { Poll, PollBuilder, PollRequest } from '../../../runtime/index.js';
import { externalDnsOwner } from '../names/owner.js';
import { type EtcdKeysQuestion, etcdKeys } from '../ports/etcd.js';
import { type HaproxyQuestion, haproxy } from '../ports/haproxy.js';
import { type PodShutdownQuestion, podShutdown } from '../ports/pod-shutdown.js';
import { dnsProviderWebhook, type WebhookQuestion } from '../ports/webhook.js';
import type { Destination } from '../targets/destination.js';
import { rrsetsFor } from '../targets/dns-rrsets.js';
import { ownerKeyOf } from '../targets/etcd-target.js';
import { webhookEndpoints, webhookNames } from '../targets/webhook-target.js';
import type { owns, reads } from './declarations.js';
import { namesOf, type Slot, stablePart } from './slots.js';
import { isDeleting, type OutsideType, type Position, positions, type StableView, type TargetPoll } from './view.js';
import { wantedIn } from './wanted.js';

type Ask = PollBuilder<ServicePublicationResource, (typeof owns)[number], ReturnType<typeof reads>>;

/** The external sources of a publication: each target has the poll of its type and position. */
export const polls = (ask: Ask) => ({
  ...atEach('dns', (position) => ask(dnsNames, (view) => dnsAsked(view, position))),
  ...atEach('webhook', (position) => ask(dnsProviderWebhook, (view) => webhookAsked(view, position))),
  ...atEach('haproxy', (position) => ask(haproxy, (view) => haproxyAsked(view, position))),
  ...atEach('etcd', (position) => ask(etcdKeys, (view) => etcdAsked(view, position))),
  lookup: ask(dnsLookup, lookupAsked),
  pods: ask(podShutdown, podsAsked),
});

/** Milliseconds. A record that another client changed is noticed after it. After a call and a failure, the runtime asks sooner. */
const settled = 60_000;
/** Milliseconds while names are withdrawn: only an answer that is younger than each call proves that they are gone. */
const withdrawing = 15_000;
/** Milliseconds. HAProxy forgets the servers at its restart. */
const haproxyInterval = 10_000;
/** Milliseconds. The source remembers an answer for the TTL of its records. */
const lookupInterval = 10_000;
/** Milliseconds. A Pod never changes how it ends. */
const podsInterval = 3_600_000;
/** Milliseconds. */
const timeout = 10_000;

function atEach<T extends OutsideType, A>(
  type: T,
  declare: (position: Position) => Poll<A>,
): { readonly [N in TargetPoll<T>]: Poll<A> } {
  const all = positions.map((position) => [`${type}${position}`, declare(position)]);
  return Object.fromEntries(all) as { readonly [N in TargetPoll<T>]: Poll<A> };
}

/** A slot of a type, if something is to be asked there. */
function slotAt<T extends Destination['type']>(view: StableView, position: Position, type: T) {
  const { spec } = view.resource;
  // After its deletion, such a publication removes nothing.
  if (isDeleting(view.resource) && spec.policy !== 'Sync') return undefined;
  const slot = stablePart(view).slots.find((one) => one.position === position);
  if (!slot || slot.destination.type !== type) return undefined;
  const isIdle = slot.claim === undefined && (slot.rival !== undefined || isDeleting(view.resource));
  return isIdle ? undefined : { slot, destination: slot.destination as Extract<Destination, { type: T }> };
}

function intervalOf({ claim }: Slot): number {
  return claim?.leavingSince === undefined ? settled : withdrawing;
}

function secretIn(secret: string | undefined): { readonly secret?: string } {
  return secret === undefined ? {} : { secret };
}

function dnsAsked(view: StableView, position: Position): PollRequest<NamesQuestion> | undefined {
  const { slot, destination } = slotAt(view, position, 'dns') ?? {};
  const names = slot ? namesOf(slot) : [];
  if (!slot || !destination || names.length === 0) return undefined;
  const { server, port, zone, secret } = destination;
  const question = { server, port, zone, rrsets: rrsetsFor(names, zone) };
  return { question, interval: intervalOf(slot), timeout, ...secretIn(secret) };
}

function webhookAsked(view: StableView, position: Position): PollRequest<WebhookQuestion> | undefined {
  const { slot, destination } = slotAt(view, position, 'webhook') ?? {};
  const names = slot ? namesOf(slot) : [];
  if (!slot || !destination || names.length === 0) return undefined;
  const { url, caBundle, zone, secret } = destination;
  const ttl = secondsOf(slot.target?.webhook?.ttl ?? '0s');
  const { records } = wantedIn(slot, stablePart(view).list);
  const owner = externalDnsOwner(view.resource);
  const question = {
    ...{ url, ...(caBundle !== undefined && { caBundle }) },
    names: webhookNames(names, zone),
    wanted: webhookEndpoints(records, { zone, owner, ttl }),
  };
  return { question, interval: intervalOf(slot), timeout, ...secretIn(secret) };
}

function haproxyAsked(view: StableView, position: Position): PollRequest<HaproxyQuestion> | undefined {
  const { slot, destination } = slotAt(view, position, 'haproxy') ?? {};
  if (!slot || !destination) return undefined;
  const { address, backend } = destination;
  return { question: { address, backend }, interval: haproxyInterval, timeout };
}

function etcdAsked(view: StableView, position: Position): PollRequest<EtcdKeysQuestion> | undefined {
  const { slot, destination } = slotAt(view, position, 'etcd') ?? {};
  if (!slot || !destination) return undefined;
  const { endpoints, key, secret } = destination;
  const question = { endpoints, key, ownerKey: ownerKeyOf(key) };
  return { question, interval: intervalOf(slot), timeout, ...secretIn(secret) };
}

function lookupAsked(view: StableView): PollRequest<LookupQuestion> | undefined {
  const { host, state } = stablePart(view).list;
  if (host === undefined || state !== 'current' || isDeleting(view.resource)) return undefined;
  return { question: { host }, interval: lookupInterval, timeout };
}

function podsAsked(view: StableView): PollRequest<PodShutdownQuestion> | undefined {
  const { metadata, spec } = view.resource;
  if (spec.addresses !== 'Endpoints' || isDeleting(view.resource)) return undefined;
  const pods = sampleOf(view.reads.slices.flatMap(({ endpoints }) => endpoints.flatMap(({ pod }) => pod ?? [])));
  if (pods.length === 0) return undefined;
  return { question: { namespace: metadata.namespace ?? '', pods }, interval: podsInterval, timeout };
}

const mostPods = 16;

/** The first and the last Pod of each workload, because the Pods of a workload end alike. A name ends with one of its own. */
function sampleOf(pods: readonly string[]): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const pod of pods.toSorted()) {
    const workload = pod.replace(/-[^-]*$/, '');
    groups.set(workload, [...(groups.get(workload) ?? []), pod]);
  }
  const sample = [...groups.values()].flatMap((all) => [all[0] ?? '', all.at(-1) ?? '']);
  return [...new Set(sample)].slice(0, mostPods);
}
