import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** The requests that the client sends meanwhile, by the number of their call in the protocol. */
export async function counted(work: () => Promise<unknown>): Promise<Readonly<Record<number, number>>> {
  const counts: Record<number, number> = {};
  await observed(
    'tracing:plt:kafka:connections:api:start',
    (message) => {
      const { apiKey } = message as { readonly apiKey: number };
      counts[apiKey] = (counts[apiKey] ?? 0) + 1;
    },
    work,
  );
  return counts;
}

/** The number of connections that the client opens meanwhile. */
export async function connected(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  await observed('tracing:plt:kafka:connections:connects:start', () => count++, work);
  return count;
}

async function observed(channel: string, on: (message: unknown) => void, work: () => Promise<unknown>): Promise<void> {
  subscribe(channel, on);
  try {
    await work();
  } finally {
    unsubscribe(channel, on);
  }
}
