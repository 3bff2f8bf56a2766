import type { Asked, Systems } from '../ports/system.js';

interface Lease {
  readonly term: number;
  readonly holder: string;
}

const application = {
  ...{ isRunning: true, version: 'redis 7.0.15', replicationId: 'h0', offset: 0, isComplete: true, hasData: false },
};

/** Launchers and applications that obey each role, and Leases that nobody else writes. */
export function outside(): Systems {
  const leases = new Map<string, Lease>();
  const roles = new Map<string, Asked>();
  const hooked = new Map<string, object>();
  const told = ({ name }: Asked) => JSON.parse(roles.get(name)?.['role'] ?? '{}') as Asked;
  return {
    'reconstruct/leader-leases': {
      answer: ({ name }) => {
        const { term, holder } = leases.get(name) ?? { term: 0, holder: '' };
        const known = { uid: `lease ${name}`, term, version: `${term} ${holder}` };
        return holder === '' ? { state: 'released', ...known } : { state: 'held', holder, ...known };
      },
      perform: ({ name, term, holder }) => void leases.set(name, { term, holder }),
    },
    'reconstruct/leader-roles': {
      answer: ({ pods }) => ({
        pods: Object.fromEntries(
          pods.map(({ name, uid }: Asked) => [name, { uid, isLabelled: false, ...roles.get(name) }]),
        ),
      }),
      perform: ({ pods }) => {
        for (const { name, ...role } of pods) roles.set(name, { ...roles.get(name), ...role });
      },
    },
    'reconstruct/leader-launchers': {
      answer: ({ launchers }) => ({ reports: Object.fromEntries(launchers.map(reportOf(told))), silent: {} }),
    },
    'reconstruct/leader-hooks': {
      answer: ({ pods }) => ({
        states: Object.fromEntries(
          pods.map(({ name }: Asked) => [name, hooked.get(name) ?? { role: 'none', term: 0 }]),
        ),
        silent: {},
      }),
      perform: ({ hook, pod, term }) =>
        void hooked.set(pod.name, { role: hook === 'promote' ? 'leader' : 'replica', term }),
    },
    'reconstruct/redis': { answer: () => ({ state: 'serving', role: 'leader', term: 1 }) },
  };
}

function reportOf(told: (pod: Asked) => Asked) {
  return (pod: Asked) => {
    const { name, uid } = pod;
    const { role = 'none', term = 0 } = told(pod);
    const leads = role === 'leader' ? { leads: true, authority: 'Lease' } : { leads: false };
    const links = role === 'replica' ? { isLinked: true, isFresh: true } : { confirmedBy: ['10.0.0.9'] };
    const report = { name, uid, boot: `boot ${name}`, term, role, ...leads, fencedAt: term };
    return [name, { ...report, application: { ...application, ...links } }];
  };
}
