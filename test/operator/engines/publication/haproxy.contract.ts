import { describe, expect, test } from 'vitest';
import {
  type HaproxyAnswer,
  type HaproxyChange,
  type HaproxyQuestion,
  type HaproxyRequest,
  type HaproxyServer,
  haproxy,
} from '../../../../operator/controllers/publication/ports/haproxy.js';
import type { Perform, Provided, Source } from '../../../../operator/runtime/ports/external-port.js';
import { portContract } from '../../../../operator/testing/index.js';
import { configured, contractBackend } from './haproxy-program.js';

/** A HAProxy, and the source of its servers. */
export interface ContractHaproxy {
  readonly address: string;
  readonly provided: Provided;
}

const added = (name: string, address = '192.0.2.1', port = 8080) => ({ act: 'add', name, address, port }) as const;
const set = (name: string, state: HaproxyServer['state']) => ({ act: 'set', name, state }) as const;
const deleted = (name: string) => ({ act: 'delete', name }) as const;
const server = (name: string, state: HaproxyServer['state'], address = '192.0.2.1'): HaproxyServer => ({
  ...{ name, address, port: 8080, state, isDown: false, isBusy: false },
});

const cases: readonly { when: string; changes: readonly HaproxyChange[]; after: readonly HaproxyServer[] }[] = [
  { when: 'a server is added, which gets no traffic yet', changes: [added('rc-a')], after: [server('rc-a', 'maint')] },
  {
    when: 'a server is added and gets traffic',
    changes: [added('rc-a'), set('rc-a', 'ready')],
    after: [server('rc-a', 'ready')],
  },
  {
    when: 'a server is drained',
    changes: [added('rc-a'), set('rc-a', 'ready'), set('rc-a', 'drain')],
    after: [server('rc-a', 'drain')],
  },
  {
    when: 'a drained server gets traffic again',
    changes: [added('rc-a'), set('rc-a', 'drain'), set('rc-a', 'ready')],
    after: [server('rc-a', 'ready')],
  },
  {
    when: 'a server is deleted',
    changes: [added('rc-a'), set('rc-a', 'ready'), set('rc-a', 'maint'), deleted('rc-a')],
    after: [],
  },
  {
    when: 'a server is deleted that is not there',
    changes: [deleted('rc-a'), added('rc-b')],
    after: [server('rc-b', 'maint')],
  },
  {
    when: 'the same changes are made twice',
    changes: [added('rc-a'), set('rc-a', 'ready'), added('rc-a'), set('rc-a', 'ready')],
    after: [server('rc-a', 'ready')],
  },
  {
    when: 'an address is of IPv6',
    changes: [added('rc-a', '2001:db8::1')],
    after: [server('rc-a', 'maint', '2001:db8::1')],
  },
  {
    when: 'a server is deleted that still gets traffic, which is refused, and another one is added',
    changes: [added('rc-a'), set('rc-a', 'ready'), deleted('rc-a'), added('rc-b')],
    after: [server('rc-a', 'ready'), server('rc-b', 'maint')],
  },
];

/** What holds for each HAProxy. @param start one whose backend has the configured server alone */
export function haproxyContract(start: () => Promise<ContractHaproxy>): void {
  const begin = async () => {
    const { provided, address } = await start();
    const { signal } = new AbortController();
    const perform = provided.performer?.perform as Perform<HaproxyRequest>;
    const source = provided.source as unknown as Source<HaproxyQuestion, HaproxyAnswer>;
    const at = { address, backend: contractBackend };
    return {
      ask: async (backend = contractBackend) => (await source({ address, backend }, { signal })).servers,
      send: (...changes: readonly HaproxyChange[]) => perform({ ...at, changes }, { signal, mayLeave: () => {} }),
    };
  };

  test.each(cases)('has the servers that follow, and leaves the configured one alone, where $when', async (given) => {
    const { ask, send } = await begin();
    for (const change of given.changes) await send(change).catch(() => {});
    expect(await ask()).toEqual([configured, ...given.after]);
  });

  test.each(cases)('makes all changes of one request, where $when', async ({ changes, after }) => {
    const { ask, send } = await begin();
    await send(...changes).catch(() => {});
    // In one request, a server that was added counts as known from the next request on.
    expect(await ask()).toEqual([configured, ...after]);
  });

  test('reports a refused change as one to be sent again after a look', async () => {
    const { send } = await begin();
    await send(added('rc-a'), set('rc-a', 'ready'));
    await expect(send(deleted('rc-a'))).rejects.toMatchObject({ kind: 'retryable', mayHaveEffect: false });
    await expect(send(set('rc-b', 'ready'))).rejects.toMatchObject({ kind: 'retryable', mayHaveEffect: false });
  });

  test('has no servers of a backend that does not exist', async () => {
    const { ask } = await begin();
    await expect(ask('missing')).rejects.toThrow();
  });

  describe('as a port', async () => {
    const { address } = await start();
    const at = { address, backend: contractBackend };
    const contract = portContract({
      port: haproxy,
      start: async () => (await start()).provided,
      question: at,
      before: { servers: [configured] },
      request: { ...at, changes: [added('rc-a'), set('rc-a', 'ready')] },
      after: { servers: [configured, server('rc-a', 'ready')] },
      refused: { ...at, changes: [set('rc-a; disable server billing/by-hand', 'ready')] },
    });
    for (const { name, holds } of contract) test(name, holds);
  });
}
