import type { KafkaClusterResource } from '../../../../../imports/index.js';
import {
  isKafkaController,
  kafkaHost,
  kafkaListenerCertificate,
  kafkaListenerCertificates,
  kafkaObjectNames,
  kafkaPorts,
} from '../../../../../src/index.js';
import { fingerprint } from '../../../../../src/manifest/fingerprint.js';
import type { HostHandshakesAnswer, HostHandshakesQuestion } from '../../../../consumers/handshakes.js';
import { type CallState, type Polled, type PollRequest, timestampOf } from '../../../../runtime/index.js';
import { isBeyondAnswer, type KafkaNode } from '../nodes/nodes.js';
import type { NodeCertificate } from './node-certificate.js';

/** The certificates that nodes present, compared with those in their Secrets. */
export interface PresentedCertificates {
  /** Names of nodes that present only the certificates in their Secrets. */
  readonly current: readonly string[];
  /** Names of nodes that present another one. */
  readonly stale: readonly string[];
  /** Why some of these do not load them, by their names, as a part of a sentence. */
  readonly failures: Readonly<Record<string, string>>;
}

type Status = Partial<Pick<NonNullable<KafkaClusterResource['status']>, 'presentedCertificates' | 'certificateReload'>>;
/** The Secrets and the spec that decide which certificates nodes have. */
interface Certified {
  readonly resource: KafkaClusterResource;
  readonly reads: {
    readonly nodeCertificate: NodeCertificate | undefined;
    readonly listenerCertificates: readonly (NodeCertificate | undefined)[];
  };
}

/** A port of a node, and the certificate that it should present. */
interface Endpoint {
  readonly node: string;
  readonly host: string;
  readonly port: number;
  readonly fingerprint: string;
}

/** Milliseconds: the kubelet updates the files of a Secret within two minutes, and Kafka reads them at once. */
const patience = 300_000;
/** Milliseconds between two handshakes: until all nodes present their certificates, and at rest. */
const intervals = { pending: 10_000, seldom: 3_600_000 };

/** The certificates of the ports of a node, by port. Listeners without TLS have none. */
export function certificatesByPort(
  { resource: { metadata, spec }, reads }: Certified,
  node: Pick<KafkaNode, 'role' | 'isCombined'>,
): ReadonlyMap<number, NodeCertificate | undefined> {
  const { nodeCertificate, listenerCertificates } = reads;
  const own = isKafkaController(node) ? [[kafkaPorts.controller, nodeCertificate] as const] : [];
  if (node.role === 'controller') return new Map(own);
  const others = kafkaListenerCertificates(metadata.name, spec);
  const bySecret = new Map(others.map((secret, at) => [secret, listenerCertificates[at]]));
  bySecret.set(kafkaObjectNames(metadata.name).nodeCertificate, nodeCertificate);
  const ofListeners = spec.listeners.flatMap((listener) => {
    const secret = kafkaListenerCertificate(metadata.name, listener);
    return secret === undefined ? [] : [[listener.port, bySecret.get(secret)] as const];
  });
  return new Map([...own, [kafkaPorts.replication, nodeCertificate], ...ofListeners]);
}

/** Asks which certificates the nodes present. */
export function presentedAsked(
  view: Certified,
  nodes: readonly KafkaNode[],
): PollRequest<HostHandshakesQuestion> | undefined {
  const endpoints = endpointsOf(view, nodes);
  if (endpoints.length === 0) return undefined;
  const isSettled = view.resource.status?.presentedCertificates === identityOf(endpoints);
  return {
    question: { endpoints: endpoints.map(({ host, port }) => ({ host, port })) },
    interval: isSettled ? intervals.seldom : intervals.pending,
    timeout: 15_000,
  };
}

/** What nodes present. Undefined while unknown. @param nodes those that stay */
export function presentedIn(
  view: Certified & { readonly now: Date },
  nodes: readonly KafkaNode[],
  polled: Polled<HostHandshakesAnswer> | undefined,
): PresentedCertificates | undefined {
  if (!polled?.known) return undefined;
  const found = new Map<string, Set<'current' | 'stale' | 'unknown'>>();
  for (const { node: name, host, port, fingerprint: wanted } of endpointsOf(view, nodes)) {
    const presented = polled.value[`${host}:${port}`];
    const node = nodes.find((one) => one.name === name);
    const isOld = node === undefined || !node.isReady || isBeyondAnswer(node, { answeredAt: polled.at });
    const isKnown = presented !== undefined && 'fingerprint' in presented && !isOld;
    const state = !isKnown ? 'unknown' : presented.fingerprint === wanted ? 'current' : 'stale';
    found.set(name, (found.get(name) ?? new Set()).add(state));
  }
  const named = (is: (states: ReadonlySet<string>) => boolean) =>
    [...found].filter(([, states]) => is(states)).map(([name]) => name);
  const stale = named((states) => states.has('stale'));
  const current = named((states) => states.size === 1 && states.has('current'));
  const reported = view.resource.status?.certificateReload?.failures ?? [];
  const failures = reported.filter(({ node }) => stale.includes(node)).map(({ node, message }) => [node, message]);
  return { current, stale, failures: Object.fromEntries(failures) };
}

/** How far the reload of certificates got. */
export interface ReloadState {
  readonly presented: PresentedCertificates | undefined;
  /** The node that loads its certificates now. */
  readonly loading: string | undefined;
  /** The call that asks it to. */
  readonly call: CallState;
}

/** The certificates for the status, and milliseconds until the reload of a node has failed. */
export function presentedStatus(
  view: Certified & { readonly now: Date },
  nodes: readonly KafkaNode[],
  { presented, loading, call }: ReloadState,
): { readonly status: Status; readonly left?: number } {
  const { presentedCertificates: before, certificateReload: reload } = view.resource.status ?? {};
  if (!presented) return { status: statusOf(before, reload) };
  const endpoints = endpointsOf(view, nodes);
  const isWhole = endpoints.every(({ node }) => presented.current.includes(node));
  const identity = isWhole ? identityOf(endpoints) : before;
  const pending = presented.stale.length;
  if (pending === 0) return { status: statusOf(identity) };
  const known = Object.entries(presented.failures).map(([node, message]) => ({ node, message }));
  if (loading === undefined) return { status: statusOf(identity, { pending, failures: known }) };
  const now = view.now.getTime();
  const isTried = call.state === 'sent' || call.state === 'failed';
  const age = reload?.node === loading && reload.since !== undefined ? now - Date.parse(reload.since) : undefined;
  // While nothing is sent, such as before an operator that starts has asked, no time counts. The status changes seldom.
  const isCounted = age !== undefined && (isTried || age < patience / 2);
  const since = isCounted ? reload?.since : timestampOf(now);
  const message = isTried && isCounted ? failureOf(call, age) : undefined;
  const isNew = message !== undefined && presented.failures[loading] === undefined;
  const failures = isNew ? [...known, { node: loading, message }] : known;
  const progress = { pending, node: loading, ...(since !== undefined && { since }), failures };
  const left = isCounted ? patience - age : patience;
  return { status: statusOf(identity, progress), ...(left > 0 && { left }) };
}

function failureOf(call: CallState, age: number): string | undefined {
  if (call.state === 'failed' && call.kind === 'terminal')
    return `Kafka refuses to load them: ${call.why}`.slice(0, 1024);
  return age < patience ? undefined : 'it does not present them within 5 minutes';
}

function statusOf(identity: string | undefined, reload?: Status['certificateReload']): Status {
  return {
    ...(identity !== undefined && { presentedCertificates: identity }),
    ...(reload && { certificateReload: reload }),
  };
}

function identityOf(endpoints: readonly Endpoint[]): string {
  return fingerprint(endpoints.map(({ node, port, fingerprint: wanted }) => [node, port, wanted]));
}

function endpointsOf(view: Certified, nodes: readonly KafkaNode[]): readonly Endpoint[] {
  const { name, namespace = '' } = view.resource.metadata;
  return nodes.flatMap((node) =>
    [...certificatesByPort(view, node)].flatMap(([port, certificate]) =>
      certificate?.fingerprint === undefined
        ? []
        : [
            {
              node: node.name,
              host: kafkaHost(node.name, { name, namespace }),
              port,
              fingerprint: certificate.fingerprint,
            },
          ],
    ),
  );
}
