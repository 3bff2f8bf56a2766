import type { SecretRotationResource } from '../../../imports/index.js';
import { conditionOf } from '../../runtime/index.js';
import type { conditions } from './conditions.js';

/** Metrics of each SecretRotation. */
export const metrics = {
  reconstruct_secret_rotation_timestamp_seconds: {
    help: 'Unix time at which the credential was written into the Secret.',
    valueFrom: ({ status }: SecretRotationResource) => secondsOf(status?.rotated),
  },
  reconstruct_secret_rotation_next_timestamp_seconds: {
    help: 'Unix time at which the next rotation is due.',
    valueFrom: ({ status }: SecretRotationResource) => secondsOf(status?.nextRotation),
  },
  reconstruct_secret_rotation_adopted: {
    help: '1 if each consumer uses the credential, 0 otherwise. Absent without consumers.',
    valueFrom: (resource: SecretRotationResource) => {
      const adopted = conditionOf<typeof conditions>(resource, 'Adopted');
      return adopted && Number(adopted.status === 'True');
    },
  },
};

function secondsOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time) / 1000;
}
