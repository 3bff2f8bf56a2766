import { setTimeout as pause } from 'node:timers/promises';
import { api } from '../../e2e/cluster/api.js';
import { EndpointSlice } from '../../e2e/cluster/kinds.js';
import { applied, kubectl } from '../../e2e/cluster/kubectl.js';
import type { TriedPublication } from '../../e2e/publication/tried-publication.js';
import type { KillsProps } from '../system-kills.js';
import { anyOf } from './any-of.js';
import { type Endpoints, endpointPort } from './endpoints.js';
import { type Lost, lostRequests } from './lost-requests.js';

/** Endpoints that are there at least. */
const least = 2;
/** Milliseconds between two changes, at least and at most. */
const between = [200, 1_500] as const;
/** Changes after which the tally is printed, so that a run that is ended has told it. */
const perLine = 50;

/** The state of one address in the EndpointSlice. */
type State = 'absent' | 'ready' | 'terminating';

/** The endpoints of a Service, and what each is. */
class Churned {
  readonly #states: Map<string, { readonly state: State; readonly since: number }>;
  readonly #ending = new Set<Promise<void>>();

  constructor(
    readonly tried: TriedPublication,
    readonly endpoints: Endpoints,
  ) {
    const since = performance.now();
    this.#states = new Map(endpoints.addresses.map((address) => [address, { state: 'absent', since }]));
  }

  in(...wanted: readonly State[]): readonly string[] {
    return [...this.#states].filter(([, { state }]) => wanted.includes(state)).map(([address]) => address);
  }

  /** The state of an address, for people. */
  shown(address: string): string {
    const { state, since = 0 } = this.#states.get(address) ?? {};
    return `${state} for ${((performance.now() - since) / 1000).toFixed(2)} s`;
  }

  async start(address: string): Promise<void> {
    await this.endpoints.start(address);
    this.#became(address, 'ready');
  }

  /** A server ends when no client can have its address any more. */
  end(address: string): void {
    this.#became(address, 'terminating');
    const ended = this.#ended(address).finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  /** Resolves when no server is to end any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#ending);
  }

  /** Writes the EndpointSlice. */
  async write(): Promise<void> {
    const slice = sliceOf(this.tried, this.in('ready'), this.in('terminating'));
    await (await api()).apply(EndpointSlice, slice, { manager: 'e2e' });
  }

  async #ended(address: string): Promise<void> {
    await pause(1000 * this.tried.app.servesOn);
    await this.endpoints.stop(address);
    this.#became(address, 'absent');
  }

  #became(address: string, state: State): void {
    this.#states.set(address, { state, since: performance.now() });
  }
}

/**
 * Changes the EndpointSlice of a Service at random: an address becomes ready, or terminates.
 * @returns seconds until DNS told each change, as far as it was not overtaken by the next one
 */
export async function churn(
  tried: TriedPublication,
  endpoints: Endpoints,
  { kills, say, signal }: KillsProps,
): Promise<Lost & { readonly delays: readonly number[]; readonly changes: number }> {
  const churned = new Churned(tried, endpoints);
  for (const address of endpoints.addresses.slice(0, least)) await churned.start(address);
  await applied(serviceOf(tried));
  await churned.write();
  await tried.apply();
  await tried.untilPublished(120);
  const lost = lostRequests(tried, say, (address) => churned.shown(address));
  const delays: number[] = [];
  let count = 0;
  try {
    while (count < kills && !signal.aborted) {
      if (!(await changed(churned, delays))) continue;
      count++;
      if (count % perLine === 0)
        say(`${count} of ${kills} changes, ${churned.in('ready').length} endpoints, ${lost.told()}`);
    }
    await churned.settled();
  } finally {
    const sum = await lost.end();
    say(`${count} changes: ${sum}`);
  }
  await kubectl(['--namespace', tried.app.namespace, 'delete', 'pub', tried.app.name, '--timeout=120s']);
  return { ...lost.sum, delays, changes: count };
}

/** Changes one address, and waits for a random time. @returns false if none can be changed now */
async function changed(churned: Churned, delays: number[]): Promise<boolean> {
  const [absent, ready] = [churned.in('absent'), churned.in('ready')];
  const isStart = ready.length <= least || (absent.length > 0 && Math.random() < 0.5);
  const address = anyOf(isStart ? absent : ready);
  if (address === undefined) {
    await pause(between[0]);
    return false;
  }
  if (isStart) await churned.start(address);
  else churned.end(address);
  await churned.write();
  const began = performance.now();
  const wait = between[0] + Math.random() * (between[1] - between[0]);
  const delay = await untilTold(churned.tried, churned.in('ready'), began + wait);
  if (delay !== undefined) delays.push(delay / 1000);
  await pause(Math.max(0, began + wait - performance.now()));
  return true;
}

/** Milliseconds until dig answers the addresses; undefined if it does not until then. */
async function untilTold(
  tried: TriedPublication,
  addresses: readonly string[],
  end: number,
): Promise<number | undefined> {
  const began = performance.now();
  const wanted = addresses.toSorted().join();
  while (performance.now() < end) {
    if ((await tried.dig()).join() === wanted) return performance.now() - began;
    await pause(100);
  }
  return undefined;
}

function serviceOf({ app: { namespace, name } }: TriedPublication): object {
  const metadata = { namespace, name };
  return { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ name: 'http', port: endpointPort }] } };
}

function sliceOf(
  { app: { namespace, name } }: TriedPublication,
  ready: readonly string[],
  terminating: readonly string[],
) {
  const endpoint = (address: string, isReady: boolean) => ({
    ...{ addresses: [address], conditions: { ready: isReady, serving: true, terminating: !isReady } },
  });
  return {
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4' },
    metadata: { namespace, name, labels: { 'kubernetes.io/service-name': name } },
    endpoints: [...ready.map((one) => endpoint(one, true)), ...terminating.map((one) => endpoint(one, false))],
    ports: [{ name: 'http', port: endpointPort, protocol: 'TCP' }],
  };
}
