import { isIP } from 'node:net';
import {
  type HaproxyChange,
  type HaproxyQuestion,
  type HaproxyServer,
  haproxy,
} from '../../../controllers/publication/ports/haproxy.js';
import type { AllowedAddresses } from '../../../egress/allowed-addresses.js';
import type { Clock } from '../../../runtime/ports/clock.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import { type Provided, provided } from '../../../runtime/ports/external-port.js';
import { type RuntimeApi, runCommand } from './runtime-api.js';
import { busyIn, refusal, serversIn } from './servers.js';

/** What the source of HAProxy backends needs. */
export interface HaproxyOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly addresses: Pick<AllowedAddresses, 'lookupFor'>;
}

/** Characters of names. Others could end a command, and begin another one. */
const nameForm = /^[\w.:-]{1,128}$/;

/** Asks and changes servers of HAProxy backends. Each command has its own connection, and nothing is cached. */
export function haproxySource({ clock, addresses }: HaproxyOptions): Provided {
  const lookup = addresses.lookupFor;
  return provided(
    haproxy,
    async (question, { signal }) => ({ servers: await serversOf({ ...question, lookup, clock, signal }) }),
    {
      perform: async ({ changes, ...at }, { signal, mayLeave }) => {
        for (const change of changes) refuseInvalid(change);
        const api = { ...at, lookup, clock, signal };
        const known = await serversOf(api);
        const failures: CallError[] = [];
        for (const change of changes) {
          try {
            await makeChange(api, change, { known, mayLeave });
          } catch (error) {
            if (!(error instanceof CallError) || error.kind === 'unreachable') throw error;
            failures.push(error);
          }
        }
        const [first] = failures;
        if (!first) return;
        const more = failures.length > 1 ? ` (and ${failures.length - 1} more)` : '';
        throw new CallError(first.kind, `${first.message}${more}`, { mayHaveEffect: failures.length < changes.length });
      },
      concurrency: 64,
      callsPerSecond: 1_000,
      serverOf: ({ address }) => address,
    },
  );
}

type Backend = RuntimeApi & Pick<HaproxyQuestion, 'backend'>;

async function serversOf(api: Backend): Promise<readonly HaproxyServer[]> {
  const { backend, address } = api;
  if (!nameForm.test(backend)) throw invalid('backend', backend);
  const [states, connections] = await Promise.all([
    runCommand(api, `show servers state ${backend}`),
    runCommand(api, `show servers conn ${backend}`),
  ]);
  const servers = serversIn(states, busyIn(connections, address), address);
  return servers.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** @param known the servers before the request */
async function makeChange(
  api: Backend,
  change: HaproxyChange,
  { known, mayLeave }: { readonly known: readonly HaproxyServer[]; readonly mayLeave: () => void },
): Promise<void> {
  const server = `${api.backend}/${change.name}`;
  const send = async (command: string, isDone: (response: string) => boolean) => {
    const response = await runCommand(api, command, mayLeave);
    if (!isDone(response.trim())) throw refusal(response, `${api.address}, ${server}`);
  };
  switch (change.act) {
    case 'add': {
      const { address, port } = change;
      const same = known.find(({ name }) => name === change.name);
      if (same?.address === address && same.port === port) return;
      const host = isIP(address) === 6 ? `[${address}]` : address;
      return send(`add server ${server} ${host}:${port}`, (said) => /New server registered/i.test(said));
    }
    case 'set':
      return send(`set server ${server} state ${change.state}`, (said) => said === '');
    default:
      return send(`del server ${server}`, (said) => /Server deleted|No such server/i.test(said));
  }
}

/** @throws {CallError} `terminal`, if the change has no form as a command */
function refuseInvalid(change: HaproxyChange): void {
  if (!nameForm.test(change.name)) throw invalid('name', change.name);
  if (change.act === 'add') {
    const { address, port } = change;
    if (isIP(address) === 0)
      throw new CallError('terminal', `address: Invalid value: ${JSON.stringify(address)}: must be an IP address`);
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new CallError('terminal', `port: Invalid value: ${port}: must be an integer from 1 to 65535`);
  }
  if (change.act === 'set' && !['ready', 'drain', 'maint'].includes(change.state))
    throw new CallError('terminal', `state: Unsupported value: ${JSON.stringify(change.state)}`);
}

function invalid(field: 'backend' | 'name', value: string): CallError {
  const must = 'must be 1 to 128 letters, digits, and characters of "_.:-"';
  return new CallError('terminal', `${field}: Invalid value: ${JSON.stringify(value)}: ${must}`);
}
