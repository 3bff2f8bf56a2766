import { type RenderedCase, resource, secret } from '../rendered-case.js';

const storage = { size: '1Gi' };
const orders = (spec: object, metadata: Parameters<typeof resource>[3] = {}) => [
  resource('Database', 'orders', { storage, ...spec }, metadata),
];
const larger = { storage: { size: '2Gi' }, deletionPolicy: 'Delete' };
const volume = { target: { volume: { size: '2Gi' } } };
const s3 = {
  endpoint: 's3.example.com',
  ...{ bucket: 'backups', region: 'eu-central-1', secretRef: { name: 's3' } },
};
const bucket = { target: { s3 } };

/** Databases, their backups and restores. */
export const cases = [
  {
    name: 'database',
    objects: orders({ deletionPolicy: 'Delete' }),
    edits: {
      parameters: orders({ deletionPolicy: 'Delete', parameters: { work_mem: '8MB' } }),
      'restarted parameters': orders({ deletionPolicy: 'Delete', parameters: { max_connections: '300' } }),
      'two instances': orders({ deletionPolicy: 'Delete', replicas: 2, synchronous: { durability: 'Preferred' } }),
      'a larger volume': orders({ ...larger, replicas: 2 }),
      resources: orders({ ...larger, replicas: 2, resources: { requests: { cpu: '2', memory: '4Gi' } } }),
      'a rejected parameter': orders({ ...larger, replicas: 2, parameters: { max_conections: '100' } }),
      'a smaller volume': orders({ deletionPolicy: 'Delete', replicas: 2 }),
      'an accepted spec': orders({ ...larger, replicas: 3 }),
    },
  },
  {
    name: 'database-volume-backup',
    objects: orders({ backup: volume }),
    edits: {
      'a schedule': orders({ backup: { ...volume, schedule: '*/2 * * * *', retention: { full: 2 } } }),
      'a backup by hand': [resource('DatabaseBackup', 'manual', { database: 'orders' })],
    },
  },
  {
    name: 'database-bucket-backup',
    objects: [
      secret('s3', { accessKeyId: 'key', secretAccessKey: 'secret' }),
      ...orders({ backup: bucket, deletionPolicy: 'Retain' }),
    ],
    edits: {
      'a restore': [
        resource('Database', 'before', {
          storage,
          deletionPolicy: 'Delete',
          bootstrap: { restore: { from: { archive: { database: 'orders', s3 } } } },
        }),
      ],
    },
  },
] satisfies readonly RenderedCase[];
