import {
  type HaproxyChange,
  type HaproxyServer,
  haproxy,
} from '../../../../operator/controllers/publication/ports/haproxy.js';
import { CallError } from '../../../../operator/runtime/ports/external-call.js';
import { type PortModel, portModel } from '../../../../operator/testing/index.js';

/** The servers of each backend. */
type ModelState = Readonly<Record<string, readonly HaproxyServer[]>>;

/** A HAProxy with some backends, as pure functions. It passes the same contract as a real one. */
export function haproxyModel(state: ModelState): PortModel {
  return portModel(haproxy, {
    state,
    answer: (backends, { backend }) => ({ servers: serversOf(backends, backend) }),
    perform: (backends, { backend, changes }) => {
      for (const { name } of changes)
        if (!/^[\w.:-]+$/.test(name)) throw new CallError('terminal', `name: Invalid value: ${JSON.stringify(name)}`);
      let now = serversOf(backends, backend);
      let refused = 0;
      for (const change of changes) {
        const after = changed(now, change);
        if (after) now = after;
        else refused++;
      }
      if (refused === changes.length)
        throw new CallError('retryable', 'HAProxy refused every change', { mayHaveEffect: false });
      return { ...backends, [backend]: now.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
    },
    showsWithin: 0,
  });
}

function serversOf(backends: ModelState, backend: string): readonly HaproxyServer[] {
  const servers = backends[backend];
  if (servers) return servers;
  throw new CallError('retryable', `HAProxy has no backend ${backend}`, { mayHaveEffect: false });
}

/** The servers after a change. Undefined if HAProxy refuses it. */
function changed(servers: readonly HaproxyServer[], change: HaproxyChange): readonly HaproxyServer[] | undefined {
  const { name } = change;
  const found = servers.find((one) => one.name === name);
  const others = servers.filter((one) => one !== found);
  switch (change.act) {
    case 'add': {
      const { address, port } = change;
      if (found) return found.address === address && found.port === port ? servers : undefined;
      return [...servers, { name, address, port, state: 'maint', isDown: false, isBusy: false }];
    }
    case 'set':
      return found && [...others, { ...found, state: change.state }];
    default:
      if (!found) return servers;
      return found.state === 'maint' && !found.isBusy ? others : undefined;
  }
}
