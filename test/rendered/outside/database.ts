import type { Asked, Systems } from '../ports/system.js';

/** PostgreSQL: the instance of the lowest name leads, and the others have all that it wrote. */
export function outside(): Systems {
  const roles = new Map<string, Asked>();
  return {
    'reconstruct/members': {
      answer: ({ members }) => {
        const [leader = '', ...others] = members.map(({ name }: { name: string }) => name).toSorted();
        const common = { role: 'replica', state: 'running', timeline: 1, position: 100, version: '15.20' };
        const streaming = Object.fromEntries(others.map((name: string) => [name, { synchronous: true }]));
        const replicas = Object.fromEntries(others.map((name: string) => [name, common]));
        return { reports: { ...replicas, [leader]: { ...common, role: 'primary', streaming } }, silent: {} };
      },
    },
    'reconstruct/restart': { answer: () => ({}) },
    'reconstruct/logins': {
      answer: ({ logins, current, next }) => {
        const accepted = (kept?: Asked) =>
          kept &&
          roles.get(kept['login'])?.['canLogin'] === true &&
          roles.get(kept['login'])?.['hash'] === kept['hash'];
        const found = logins.flatMap((name: string) => {
          const role = roles.get(name);
          return role ? [[name, { canLogin: role['canLogin'], inUse: false, isOurs: true }]] : [];
        });
        return {
          roles: Object.fromEntries(found),
          accepts: { ...(current && { current: accepted(current) }), ...(next && { next: accepted(next) }) },
          authority: 'authority',
        };
      },
      perform: ({ act, login, hash }) => {
        roles.set(login, act === 'allow' ? { canLogin: true, hash } : { canLogin: false });
      },
    },
  };
}
