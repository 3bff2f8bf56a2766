import { addressesIn, addressesWithPort } from '../addresses/subsets.js';
import type { ServingAddress } from '../targets/haproxy-target.js';
import { type WantedRecords, wantedRecords, wantedServices } from '../targets/wanted-records.js';
import type { PublishedList } from './published-list.js';
import type { Slot } from './slots.js';

/** What a target should have. */
export interface Wanted {
  /** False if it is not known, so that what the target has stays as it is. */
  readonly isKnown: boolean;
  /** For targets with a zone. */
  readonly records: readonly WantedRecords[];
  /** For HAProxy and etcd. */
  readonly serving: readonly (Pick<ServingAddress, 'address'> & { readonly port?: number | undefined })[];
  /** Why some of it cannot be published, for people. */
  readonly failed: readonly string[];
}

const nothing: Wanted = { isKnown: true, records: [], serving: [], failed: [] };
const unknown: Wanted = { ...nothing, isKnown: false };

/** What a target should have, from the addresses to publish. */
export function wantedIn(slot: Slot, list: PublishedList): Wanted {
  if (slot.isLeaving || list.state === 'withdrawn') return nothing;
  if (slot.isUnclear || list.state === 'unknown') return unknown;
  const { destination } = slot;
  const isAlias = list.host !== undefined && list.subsets.length === 0;
  if (destination.type === 'dns' || destination.type === 'webhook') {
    // The addresses of a host at the zone itself are looked up first.
    if (isAlias && slot.hosts.includes(destination.zone)) return unknown;
    const hosts = slot.hosts.flatMap((name) => wantedRecords(name, destination.zone, list));
    const services = servicesOf(slot, list);
    return { ...nothing, records: [...hosts, ...services.records], failed: services.failed };
  }
  if (isAlias) return unknown;
  const port = (destination.type === 'haproxy' ? slot.target?.haproxy : slot.target?.etcd)?.port;
  const serving = addressesWithPort(list.subsets, port);
  if (serving.length > 0) return { ...nothing, serving };
  // CoreDNS answers with addresses for keys without a port.
  if (destination.type === 'etcd' && port === undefined)
    return { ...nothing, serving: addressesIn(list.subsets).map((address) => ({ address })) };
  return { ...unknown, failed: [missingPort(port)] };
}

function servicesOf({ hosts: [host], target }: Slot, list: PublishedList): Pick<Wanted, 'records' | 'failed'> {
  const ports = host === undefined ? [] : (target?.dns?.srv ?? []);
  const all = ports.map((port) => ({ port, records: wantedServices(host ?? '', port, list) }));
  const missing = all.filter(({ records }) => records.length === 0).map(({ port }) => missingPort(port));
  return { records: all.flatMap(({ records }) => records), failed: missing };
}

/** Why a target has no port, for people. */
export function missingPort(port: string | number | undefined): string {
  if (port === undefined) return 'there are several ports, or none; set port of the target';
  return `no address has a port named ${port}; correct port of the target`;
}
