import { Pod } from '../../../operator/index.js';
import type { Asked, Surroundings, Systems } from '../ports/system.js';

/** Coordinators whose ranks train in each generation that begins, in a cluster with much room. */
export function outside(): Systems {
  const begun = new Map<string, Asked>();
  return {
    'reconstruct/training-coordinator': {
      answer: ({ host }, { objects }) => coordinatorAnswer(host, begun.get(host), objects),
      perform: ({ host, act, ...changes }) => {
        begun.set(host, {
          ...begun.get(host),
          ...changes,
          ...(act === 'restart' && { restarts: changes['restarts'] }),
        });
      },
    },
    'reconstruct/training-capacity': {
      answer: () => ({
        nodes: ['node-1', 'node-2', 'node-3'].map((name) => ({
          ...{ name, labels: { 'topology.kubernetes.io/zone': `zone-of-${name}` }, taints: [] },
          free: { cpu: 64, memory: 2 ** 38, pods: 110 },
        })),
        opening: [],
      }),
    },
    'reconstruct/training-logs': { answer: ({ generation }) => ({ generation, findings: [], failures: [] }) },
  };
}

function coordinatorAnswer(host: string, state: Asked = {}, objects: Surroundings['objects']) {
  const [service = '', namespace] = host.split('.');
  const job = service.replace(/-[a-z]+$/, '');
  const worker = new RegExp(`^${job}-\\d+-\\d+$`);
  const running = objects(Pod).filter(
    (pod) =>
      pod.metadata.namespace === namespace && worker.test(pod.metadata.name) && pod['status']?.phase === 'Running',
  );
  const { generation = 0, members = [], isSuspended = false, restarts = {} } = state;
  const ranks = running.map(({ metadata: { name, uid } }) => {
    const rank = members.findIndex((member: Asked) => member['uid'] === uid);
    const common = { worker: name, uid, local: 0, generation, behind: false, phaseSeconds: 0, age: 0 };
    return rank < 0
      ? { ...common, state: 'ready', step: 0 }
      : { ...common, rank, state: isSuspended ? 'suspended' : 'training', step: 120, steps: 20_000, loss: 0.5 };
  });
  const launchers = running.map(({ metadata: { name, uid } }) => ({ worker: name, uid, age: 0 }));
  const version = JSON.stringify([generation, isSuspended, restarts, ranks.map(({ uid, state: is }) => [uid, is])]);
  return { version, generation, members, hasStore: true, isSuspended, restarts, ranks, launchers, faults: [] };
}
