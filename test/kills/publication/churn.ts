import { setTimeout as pause } from 'node:timers/promises';
import { applied, kubectl } from '../../e2e/cluster/kubectl.js';
import type { TriedPublication } from '../../e2e/publication/tried-publication.js';
import type { KillsProps } from '../system-kills.js';
import { type Endpoints, endpointPort } from './endpoints.js';

/** Endpoints that are there at least. */
const least = 2;
/** Milliseconds between two changes, at least and at most. */
const between = [200, 1_500] as const;

/** The state of one address in the EndpointSlice. */
type State = 'absent' | 'ready' | 'terminating';

/**
 * Changes the EndpointSlice of a Service at random: an address becomes ready, or terminates. A server ends when no client can
 * have its address any more.
 * @returns seconds until DNS told each change, as far as it was not overtaken by the next one
 */
export async function churn(
  tried: TriedPublication,
  endpoints: Endpoints,
  { kills, say, signal }: KillsProps,
): Promise<readonly number[]> {
  const states = new Map<string, State>(endpoints.addresses.map((address) => [address, 'absent']));
  const ending = new Set<Promise<void>>();
  const inState = (...wanted: readonly State[]) =>
    [...states].filter(([, state]) => wanted.includes(state)).map(([address]) => address);
  const write = () => applied(sliceOf(tried, inState('ready'), inState('terminating')));
  const start = async (address: string) => {
    await endpoints.start(address);
    states.set(address, 'ready');
  };
  const end = async (address: string) => {
    states.set(address, 'terminating');
    // Longer than a client may use the address, because the Pod learns of its end before the operator does.
    await pause(1000 * tried.app.servesOn);
    await endpoints.stop(address);
    states.set(address, 'absent');
  };

  for (const address of endpoints.addresses.slice(0, least)) await start(address);
  await applied(serviceOf(tried));
  await write();
  await tried.apply();
  await tried.untilPublished(120);
  tried.startClients(50);
  const delays: number[] = [];
  for (let count = 1; count <= kills && !signal.aborted; count++) {
    const [absent, ready] = [inState('absent'), inState('ready')];
    const isStart = ready.length <= least || (absent.length > 0 && Math.random() < 0.5);
    const address = anyOf(isStart ? absent : ready);
    if (address === undefined) {
      await pause(between[0]);
      continue;
    }
    if (isStart) await start(address);
    else {
      const ended = end(address).finally(() => ending.delete(ended));
      ending.add(ended);
    }
    await write();
    const began = performance.now();
    const wait = between[0] + Math.random() * (between[1] - between[0]);
    const delay = await untilTold(tried, inState('ready'), began + wait);
    if (delay !== undefined) delays.push(delay / 1000);
    await pause(Math.max(0, began + wait - performance.now()));
    if (count % 50 === 0) say(`${count} of ${kills} changes, ${inState('ready').length} endpoints`);
  }
  await Promise.all(ending);
  await tried.stopClients();
  await kubectl(['--namespace', tried.app.namespace, 'delete', 'pub', tried.app.name, '--timeout=120s']);
  return delays;
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
    await pause(50);
  }
  return undefined;
}

function anyOf<T>(all: readonly T[]): T | undefined {
  return all[Math.floor(Math.random() * all.length)];
}

function serviceOf({ app: { namespace, name } }: TriedPublication): object {
  const metadata = { namespace, name };
  return { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ name: 'http', port: endpointPort }] } };
}

function sliceOf(
  { app: { namespace, name } }: TriedPublication,
  ready: readonly string[],
  terminating: readonly string[],
): object {
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
