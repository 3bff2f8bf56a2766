import type { ServicePublicationResource } from '../../../../imports/index.js';
import { olderFirst } from '../../../runtime/index.js';
import { absoluteName, asciiName, InvalidNameError, isInZone, zoneName } from '../names/record-names.js';
import {
  type Claim,
  claimedDestination,
  type Destination,
  destinationOf,
  placeOf,
  type StatedTarget,
} from '../targets/destination.js';
import { mostNames } from '../targets/dns-rrsets.js';
import { srvName } from '../targets/wanted-records.js';
import { keysOfTarget } from './place-keys.js';
import { type PublishedList, publishedList } from './published-list.js';
import { isDeleting, leavingPositions, type Position, positions, type StableView } from './view.js';

/** A target outside of the cluster, or a place that the publication leaves. */
export interface Slot {
  readonly position: Position;
  readonly destination: Destination;
  /** Undefined for a place that is no longer in the spec. */
  readonly target: StatedTarget | undefined;
  /** The names of the target in its zone: of its addresses, and of SRV records. */
  readonly hosts: readonly string[];
  readonly services: readonly string[];
  /** Names that the publication may have written there, and that no target has any more. */
  readonly leaving: readonly string[];
  /** What the status records about the place. */
  readonly claim: Claim | undefined;
  /** Why some of the target cannot be published, for people. */
  readonly problems: readonly string[];
  /** Whether the names of the target are not known, so that what is published stays as it is. */
  readonly isUnclear: boolean;
  /** The publication that has the place. */
  readonly rival?: string | undefined;
  /** Whether the publication must have nothing there. */
  readonly isLeaving: boolean;
}

/** Names of a target that are published. The rest of a question is for names that it leaves. */
const mostPublished = 30;

const found = new WeakMap<StableView, { readonly list: PublishedList; readonly slots: readonly Slot[] }>();

/** The addresses and the slots of a publication. Each poll needs them, so they are computed once for a view. */
export function stablePart(view: StableView) {
  const known = found.get(view);
  if (known) return known;
  const list = publishedList(view);
  const computed = { list, slots: slotsOf(view, list) };
  found.set(view, computed);
  return computed;
}

/** The names that a slot asks about. */
export function namesOf({ hosts, services, leaving }: Slot): readonly string[] {
  return [...hosts, ...services, ...leaving].slice(0, mostNames);
}

function slotsOf(view: StableView, list: PublishedList): readonly Slot[] {
  const { resource } = view;
  const { spec, status } = resource;
  const claims = (status?.claims ?? []).flatMap((claim) => {
    const destination = claimedDestination(claim);
    return destination ? [{ claim, destination, place: placeOf(destination) }] : [];
  });
  const claimAt = (place: string) => claims.find((one) => one.place === place)?.claim;
  const stated = spec.targets.flatMap((target, index) => {
    const [destination, position] = [destinationOf(target), positions[index]];
    if (!destination || position === undefined) return [];
    const place = placeOf(destination);
    const rival = isDeleting(resource) ? undefined : rivalOf(target, view);
    return [
      {
        position,
        destination,
        target,
        place,
        claim: claimAt(place),
        rival,
        ...namesOfTarget(target, list, claimAt(place)),
      },
    ];
  });
  const own = stated.map(({ place, ...one }, index): Slot => {
    const earlier = stated.slice(0, index).filter((other) => other.place === place && !other.rival);
    const slot = { ...one, ...withoutNames(one, earlier) };
    const isFirst = stated.findIndex((one) => one.place === place) === index;
    const wanted = new Set(
      stated.filter((one) => one.place === place && !one.rival).flatMap((one) => [...one.hosts, ...one.services]),
    );
    const recorded = isFirst ? (slot.claim?.names ?? []) : [];
    const isLeft = (name: string) => isDeleting(resource) || !wanted.has(name);
    const isLeaving = slot.rival !== undefined || isDeleting(resource);
    const names = isLeaving ? { hosts: [], services: [] } : {};
    // A name that cannot be read may be one of those that are recorded.
    const isUnclear = stated.some((one) => one.place === place && one.isUnclear);
    return { ...slot, ...names, isLeaving, leaving: isUnclear && !isLeaving ? [] : recorded.filter(isLeft) };
  });
  const places = new Set(stated.map(({ place }) => place));
  const left = claims.filter(({ place }) => !places.has(place)).slice(0, leavingPositions.length);
  const leaving = left.map(({ claim, destination }, index): Slot => {
    const position = leavingPositions[index] ?? 11;
    return {
      position,
      destination,
      target: undefined,
      hosts: [],
      services: [],
      leaving: claim.names ?? [],
      claim,
      problems: [],
      ...{ isUnclear: false, isLeaving: true },
    };
  });
  return [...own, ...leaving];
}

/**
 * The names of a target without those of earlier targets of its place. The API server compares names as they are written,
 * so `Billing` and `billing` can be two targets, which would overwrite each other for ever.
 */
function withoutNames({ hosts, services, problems }: Omit<Names, 'isUnclear'>, earlier: readonly Names[]) {
  const taken = new Set(earlier.flatMap((one) => [...one.hosts, ...one.services]));
  const isFree = (name: string) => !taken.has(name);
  const doubled = hosts.filter((name) => !isFree(name));
  return {
    hosts: hosts.filter(isFree),
    services: services.filter(isFree),
    problems: [
      ...problems,
      ...doubled.map((name) => `${name} is the name of another target there; remove one of them`),
    ],
  };
}

type Names = Pick<Slot, 'hosts' | 'services' | 'problems' | 'isUnclear'>;

const noNames: Names = { hosts: [], services: [], problems: [], isUnclear: false };

function namesOfTarget({ dns, webhook }: StatedTarget, list: PublishedList, claim: Claim | undefined): Names {
  const named = dns ?? webhook;
  if (!named) return noNames;
  const { zone, name } = named;
  if (name === undefined)
    return list.hostnames ? routeNames(list.hostnames, zone) : { ...noNames, isUnclear: list.state !== 'withdrawn' };
  try {
    const host = absoluteName(name, zone);
    const services = (dns?.srv ?? []).flatMap((port) => serviceNames(host, port, list, claim));
    return { hosts: [host], services, problems: [], isUnclear: false };
  } catch (error) {
    if (error instanceof InvalidNameError) return { ...noNames, problems: [error.message], isUnclear: true };
    throw error;
  }
}

/** The names of the SRV records of a port. While its protocol is not known, those that are recorded. */
function serviceNames(host: string, port: string, list: PublishedList, claim: Claim | undefined): readonly string[] {
  const ports = [...list.subsets.flatMap((subset) => subset.ports), ...(list.hostPorts ?? [])];
  const protocols = new Set(ports.filter(({ name }) => name === port).map(({ protocol }) => protocol));
  if (protocols.size > 0) return [...protocols].toSorted().map((protocol) => srvName(host, port, protocol));
  return (claim?.names ?? []).filter((name) => name.startsWith(`_${port}._`) && name.endsWith(`.${host}`));
}

/** The host names of a Gateway or HTTPRoute in a zone. Those of other zones are for other targets. */
function routeNames(hostnames: readonly string[], zone: string): Names {
  const problems: string[] = [];
  const names = hostnames.flatMap((hostname) => {
    try {
      const name = asciiName(hostname);
      return isInZone(name, zoneName(zone)) ? [name] : [];
    } catch (error) {
      if (!(error instanceof InvalidNameError)) throw error;
      problems.push(`${hostname}: ${error.message}`);
      return [];
    }
  });
  const distinct = [...new Set(names)].toSorted();
  if (hostnames.length > 0 && distinct.length === 0) problems.push(`no host name is in the zone ${zone}`);
  if (distinct.length > mostPublished)
    problems.push(`the first ${mostPublished} of ${distinct.length} host names in the zone ${zone} are published`);
  return { hosts: distinct.slice(0, mostPublished), services: [], problems, isUnclear: false };
}

/** The oldest other publication that has a place of a target. */
export function rivalOf(target: StatedTarget, { resource, reads }: StableView): string | undefined {
  const { namespace = '', name } = resource.metadata;
  const keys = keysOfTarget(target, namespace);
  const [first] = reads.rivals
    .filter((one) => one.keys.some((key) => keys.includes(key)) && !isSelf(one, resource))
    .filter((one) => olderFirst(one, { ...resource.metadata, namespace, name }) < 0)
    .toSorted(olderFirst);
  return first && `${first.namespace}/${first.name}`;
}

function isSelf(one: { readonly namespace: string; readonly name: string }, { metadata }: ServicePublicationResource) {
  return one.namespace === metadata.namespace && one.name === metadata.name;
}
