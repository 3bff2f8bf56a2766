import type { SecretRotationStatus } from '../../../imports/index.js';
import { conditions as ofRotations } from '../../../operator/controllers/secret-rotation/conditions.js';
import { allTrue, apiVersion, type GivenSystem, now, observedGeneration } from '../given-system.js';

const rotationStatus: SecretRotationStatus = { observedGeneration, rotated: now, conditions: allTrue(ofRotations) };

export const given = {
  resources: [
    {
      ...{ apiVersion, kind: 'SecretRotation', metadata: { name: 'orders-app' } },
      spec: { secretName: 'orders-login', source: { database: { name: 'orders' } } },
      status: rotationStatus,
    },
  ],
} satisfies GivenSystem;
