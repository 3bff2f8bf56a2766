import { databaseBackupSpec, databaseSpec, withDefaults } from '../../../../crds/index.js';
import type {
  DatabaseBackupResource,
  DatabaseBackupSpecInput,
  DatabaseResource,
  DatabaseSpecInput,
} from '../../../../imports/index.js';
import type { LivePod } from '../../../../operator/runtime/index.js';

type Meta = Partial<DatabaseBackupResource['metadata']>;

const metaOf = (name: string, meta: Meta = {}) => ({
  ...{ name, namespace: 'shop', uid: `uid-of-${name}`, resourceVersion: '1', generation: 1 },
  creationTimestamp: '2026-11-21T03:00:00Z',
  ...meta,
});

/** The Database `orders`, which has a volume for its backups and a primary. */
export function givenDatabase(
  spec: Partial<DatabaseSpecInput> = {},
  { meta, status = { primary: 'orders-1' } }: { meta?: Meta; status?: DatabaseResource['status'] } = {},
): DatabaseResource {
  const input = { storage: { size: '1Gi' }, backup: { target: { volume: {} } }, ...spec } as DatabaseSpecInput;
  return {
    apiVersion: 'reconstruct.dev/v1alpha1',
    kind: 'Database',
    metadata: metaOf('orders', meta),
    spec: withDefaults(databaseSpec, input),
    status,
  };
}

/** A DatabaseBackup of it. */
export function givenBackup(
  name: string,
  {
    spec = {},
    status = {},
    meta,
  }: { spec?: Partial<DatabaseBackupSpecInput>; status?: DatabaseBackupResource['status']; meta?: Meta } = {},
): DatabaseBackupResource {
  return {
    apiVersion: 'reconstruct.dev/v1alpha1',
    kind: 'DatabaseBackup',
    metadata: metaOf(name, meta),
    spec: withDefaults(databaseBackupSpec, { database: 'orders', ...spec }),
    status,
  };
}

/** The report of a worker after a backup. */
export const madeResult = {
  label: '20261121-030000F',
  instance: 'orders-2',
  started: '2026-11-21T03:00:00Z',
  finished: '2026-11-21T03:00:09Z',
  ...{ start: '0/3000028', stop: '0/3000138', timeline: 1, sizeBytes: 31_000_000, storedBytes: 4_000_000 },
  firstRecoverable: '2026-11-21T03:00:09Z',
};

/** The Pod of a worker. @param message its report. Without one it runs */
export function givenWorker(name: string, message?: string | object, exitCode = 0): LivePod {
  const said = typeof message === 'object' ? JSON.stringify(message) : message;
  const state = said === undefined ? { running: {} } : { terminated: { exitCode, message: said } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', uid: `uid-of-${name}`, resourceVersion: '1' },
    spec: { containers: [{ name: 'worker', image: 'postgres:15.20' }] },
    status: {
      phase: said === undefined ? 'Running' : exitCode === 0 ? 'Succeeded' : 'Failed',
      containerStatuses: [{ name: 'worker', ready: false, restartCount: 0, image: '', state }],
    },
  };
}
