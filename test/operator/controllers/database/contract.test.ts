import { describe, it } from 'vitest';
import { databaseSpec, withDefaults } from '../../../../crds/index.js';
import { database } from '../../../../operator/controllers/database/index.js';
import type { Controller } from '../../../../operator/runtime/index.js';
import { controllerContract } from '../../../../operator/testing/index.js';
import { drawing, listening } from './given-answers.js';

const spec = (input: Parameters<typeof withDefaults<typeof databaseSpec>>[1]) => withDefaults(databaseSpec, input);
const small = { storage: { size: '1Gi' }, deletionPolicy: 'Delete' } as const;

describe('the controller of Databases', () => {
  const resource = {
    apiVersion: 'reconstruct.dev/v1alpha1',
    kind: 'Database',
    metadata: { name: 'orders', namespace: 'shop' },
    spec: spec(small),
  };
  const edited = spec({ ...small, replicas: 2, synchronous: { durability: 'Preferred' } });
  const rejected = spec({ ...small, parameters: { max_conections: '100' } });
  const given = { resource, edited, rejected, answers: [drawing, listening] };
  for (const { name, holds } of controllerContract(database as unknown as Controller, given)) it(name, holds);
});
