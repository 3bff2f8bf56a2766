import { databaseSpec, withDefaults } from '../../../crds/index.js';
import { members } from '../../../operator/controllers/database/ports/members.js';
import { fakeSource } from '../../../operator/testing/contract/answers.js';
import type { ControllerCase } from '../../../operator/testing/contract/controller-contract.js';
import { drawing } from '../../operator/controllers/database/given-answers.js';

const spec = (input: Parameters<typeof withDefaults<typeof databaseSpec>>[1]) => withDefaults(databaseSpec, input);
const small = { storage: { size: '1Gi' }, deletionPolicy: 'Delete' } as const;

/** Instances that are always well: the one of the lowest name leads, and the others have all that it wrote. */
const well = fakeSource(members, ({ members: asked }) => {
  const names = asked.map(({ name }) => name).toSorted();
  const [leader = '', ...others] = names;
  const common = { role: 'replica', state: 'running', timeline: 1, position: 100, version: '15.20' } as const;
  const streaming = Object.fromEntries(others.map((name) => [name, { synchronous: true }]));
  const replicas = Object.fromEntries(others.map((name) => [name, common]));
  return { reports: { ...replicas, [leader]: { ...common, role: 'primary' as const, streaming } }, silent: {} };
});

/** A Database that grows smaller, whose parameters change. */
export const databases: ControllerCase = {
  resource: {
    apiVersion: 'reconstruct.dev/v1alpha1',
    kind: 'Database',
    metadata: { name: 'orders', namespace: 'shop' },
    spec: spec(small),
  },
  edited: spec({ ...small, replicas: 2, parameters: { work_mem: '8MB' } }),
  answers: [drawing, well],
};
