import { databaseSpec, withDefaults } from '../../../crds/index.js';
import type { DatabaseBackupStatus, DatabaseStatus } from '../../../imports/index.js';
import { conditions as ofTheirBackups } from '../../../operator/controllers/database/backup-schedule/conditions.js';
import { conditions as ofDatabases } from '../../../operator/controllers/database/conditions.js';
import { conditions as ofBackups } from '../../../operator/controllers/database-backup/conditions.js';
import {
  DatabaseClaim,
  DatabasePod,
  DatabaseRepository,
  DatabaseSecrets,
  DatabaseSharedObjects,
  instanceImage,
} from '../../../src/index.js';
import { drawn } from '../../src/database/given-database.js';
import { allTrue, apiVersion, type GivenSystem, now, observedGeneration } from '../given-system.js';

/** The status of a Database with every condition. */
export const databaseStatus: DatabaseStatus = {
  observedGeneration,
  primary: 'orders-1',
  instances: [{ name: 'orders-1', role: 'Primary', state: 'running', node: 'node-1', usedPercent: 5 }],
  backup: { firstRecoverable: now },
  conditions: allTrue(ofDatabases, ofTheirBackups),
};

const backupStatus: DatabaseBackupStatus = {
  ...{ observedGeneration, state: 'Verified', finished: now },
  verified: { result: 'RestoreSucceeded', at: now, message: 'Given' },
  conditions: allTrue(ofBackups),
};

const labels = { 'reconstruct.dev/database': 'orders' };
const spec = { storage: { size: '1Gi' }, backup: { target: { volume: { size: '2Gi' } } } };

export const given = {
  resources: [
    { apiVersion, kind: 'Database', metadata: { name: 'orders' }, spec, status: databaseStatus },
    ...['orders-x7k2p', 'orders-final-0f3a1b2c-1'].map((name) => ({
      ...{ apiVersion, kind: 'DatabaseBackup', metadata: { name, labels } },
      ...{ spec: { database: 'orders' }, status: backupStatus },
    })),
  ],
  objects: (chart, namespace) => {
    for (const name of ['orders', 'orders-before']) {
      const whole = withDefaults(databaseSpec, spec);
      const { backup } = whole;
      const who = { name, namespace };
      const image = instanceImage(whole);
      const instances = [1, 2, 3].map((number) => `${name}-${number}`);
      new DatabaseSharedObjects(chart, `${name}-database`, { ...whole, ...who });
      new DatabaseSecrets(chart, `${name}-secrets`, { ...who, bootstrap: whole.bootstrap, drawn });
      if (backup)
        new DatabaseRepository(chart, `${name}-repository`, { ...who, spec: { ...whole, backup }, image, instances });
      for (const instance of instances) {
        new DatabaseClaim(chart, `${instance}-claim`, { ...who, instance, storage: whole.storage });
        new DatabasePod(chart, `${instance}-pod`, { ...who, instance, spec: whole, image });
      }
    }
  },
} satisfies GivenSystem;
