import { workloads } from '../../../operator/consumers/workloads.js';
import { portModel } from '../../../operator/testing/index.js';

/** Workloads with the hash that each was rolled with. */
export const givenWorkloads = (
  hashes: Readonly<Record<string, string>> = { 'Deployment shop': '', 'DaemonSet agent': '' },
) =>
  portModel(workloads, {
    state: hashes,
    answer: (all, question) => ({
      hash: question.hash,
      states: question.workloads.map(({ kind, name }) => {
        const key = `${kind} ${name}`;
        const phase = all[key] === undefined ? 'Missing' : all[key] === question.hash ? 'Current' : 'Outdated';
        return { kind, name, ...(all[key] !== undefined && { uid: `uid of ${key}` }), phase } as const;
      }),
    }),
    perform: (all, { hash, workloads: named }) => ({
      ...all,
      ...Object.fromEntries(named.map(({ kind, name }) => [`${kind} ${name}`, hash])),
    }),
    showsWithin: 0,
  });
