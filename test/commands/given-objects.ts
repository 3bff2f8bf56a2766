import { App, Chart } from 'cdk8s';
import { algorithmSpec, databaseSpec, kafkaClusterSpec, trainingJobSpec, withDefaults } from '../../crds/index.js';
import type {
  AlgorithmStatus,
  CertificateStatus,
  DatabaseBackupStatus,
  DatabaseStatus,
  KafkaClusterStatus,
  SecretRotationStatus,
  TrainingJobStatus,
} from '../../imports/index.js';
import { conditions as ofAlgorithms } from '../../operator/controllers/algorithm/conditions.js';
import { conditions as ofLevels } from '../../operator/controllers/algorithm/level/conditions.js';
import { conditions as ofTrials } from '../../operator/controllers/algorithm/trial/conditions.js';
import { conditions as ofCertificates } from '../../operator/controllers/certificates/certificate/conditions.js';
import { conditions as ofTheirBackups } from '../../operator/controllers/database/backup-schedule/conditions.js';
import { conditions as ofDatabases } from '../../operator/controllers/database/conditions.js';
import { conditions as ofBackups } from '../../operator/controllers/database-backup/conditions.js';
import { conditions as ofKafkaClusters } from '../../operator/controllers/kafka/cluster/conditions.js';
import { conditions as ofRotations } from '../../operator/controllers/secret-rotation/conditions.js';
import { conditions as ofTraining } from '../../operator/controllers/training/conditions.js';
import {
  Algorithm,
  AlgorithmTrial,
  DatabaseClaim,
  DatabasePod,
  DatabaseRepository,
  DatabaseSecrets,
  DatabaseSharedObjects,
  GatewayProxies,
  instanceImage,
  KafkaHookJob,
  KafkaNodeClaim,
  KafkaNodePod,
  KafkaSharedObjects,
  kafkaImage,
  type Manifest,
  NamespaceGateway,
  TrainingSharedObjects,
  TrainingWorkerPod,
} from '../../src/index.js';
import { drawn } from '../src/database/given-database.js';

const now = '2026-11-21T13:00:00Z';

/** Later than every edit of the pages, so that `kubectl wait` accepts the conditions. */
const observedGeneration = 1_000;

/** Every condition that the controllers of a kind declare, as True, with those of the runtime. */
function allTrue(...declared: readonly object[]) {
  const types = ['Ready', 'Accepted', ...declared.flatMap((conditions) => Object.keys(conditions))];
  return [...new Set(types)].map((type) => ({
    ...{ type, status: 'True' as const, reason: 'Given', message: 'Given', lastTransitionTime: now },
  }));
}

const algorithmStatus: AlgorithmStatus = {
  observedGeneration,
  trial: { id: 'translator-6b5f-t2x9', image: 'translator:1.1.0', revision: 'translator-6b5f', weight: 20, since: now },
  verdict: { verdict: 'undecided', sentence: 'Given', at: now },
  sla: { requests: 10, failed: 0, since: now },
  conditions: allTrue(ofAlgorithms, ofTrials, ofLevels),
};

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

const rotationStatus: SecretRotationStatus = { observedGeneration, rotated: now, conditions: allTrue(ofRotations) };

const certificateStatus: CertificateStatus = {
  ...{ observedGeneration, notAfter: now, renewalTime: now, conditions: allTrue(ofCertificates) },
  renewalInfo: { id: 'given.id', start: now, end: now },
};

const kafkaStatus: KafkaClusterStatus = {
  ...{ observedGeneration, clusterId: 'given', version: '4.4', finalizationTime: now },
  nodes: [{ id: 0, name: 'events-broker-0', role: 'Broker', state: 'Running', usedPercent: 40 }],
  conditions: allTrue(ofKafkaClusters),
};

const trainingStatus: TrainingJobStatus = {
  ...{ observedGeneration, phase: 'Running', step: 840, rendezvous: 1, ready: '1/1' },
  ranks: [{ pod: 'digits-0-0', uid: 'given', index: 0, node: 'node-1', state: 'training', step: 840 }],
  faults: [
    { id: 'given', time: now, kind: 'PodLost', grade: 'Pod', pod: 'digits-0-0', node: 'node-1', rank: 0, step: 7 },
  ],
  goodput: {
    ...{ ratio: 0.9, startTime: now, updateTime: now, activity: 'Training', step: 840, maxStep: 840 },
    seconds: { kept: 90, repeated: 1, stalled: 2, recovering: 3, starting: 4, suspended: 0 },
  },
  conditions: allTrue(ofTraining),
};

/** A resource of the pages, with the status that its operator would write. */
export interface GivenResource extends Manifest {
  readonly spec: object;
  readonly status: object;
}

const algorithm = 'ai.alien6.io/v1';
const database = 'reconstruct.dev/v1alpha1';
const lifecycle = { canaryWeight: 20 };
const labels = { 'reconstruct.dev/database': 'orders' };
const spec = { storage: { size: '1Gi' }, backup: { target: { volume: { size: '2Gi' } } } };

const noneInterrupted = { interrupted: [], interruptedPartitions: 0 };
const training = { image: 'training:1.0.0', command: ['python3', '/app/train.py'] };

/** The resources that the pages name and do not create before they name them. */
export const resources: readonly GivenResource[] = [
  {
    ...{ apiVersion: algorithm, kind: 'Algorithm', metadata: { name: 'translator' } },
    spec: { image: 'registry.example.com/translator:1.0.0', host: 'translator.example.com', lifecycle },
    status: algorithmStatus,
  },
  { apiVersion: database, kind: 'Database', metadata: { name: 'orders' }, spec, status: databaseStatus },
  ...['orders-x7k2p', 'orders-final-0f3a1b2c-1'].map((name) => ({
    ...{ apiVersion: database, kind: 'DatabaseBackup', metadata: { name, labels } },
    ...{ spec: { database: 'orders' }, status: backupStatus },
  })),
  {
    ...{ apiVersion: database, kind: 'SecretRotation', metadata: { name: 'orders-app' } },
    spec: { secretName: 'orders-login', source: { database: { name: 'orders' } } },
    status: rotationStatus,
  },
  {
    ...{ apiVersion: database, kind: 'Certificate', metadata: { name: 'shop' } },
    spec: { secretName: 'shop-tls', issuer: { name: 'internal' }, dnsNames: ['shop.example.com'] },
    status: certificateStatus,
  },
  {
    ...{ apiVersion: database, kind: 'KafkaCluster', metadata: { name: 'events' } },
    spec: { brokers: { storage: { size: '1Gi' } } },
    status: kafkaStatus,
  },
  {
    ...{ apiVersion: database, kind: 'TrainingJob', metadata: { name: 'digits' } },
    ...{ spec: training, status: trainingStatus },
  },
];

/** The objects that the operator renders for them, of all variants that the pages name, each once. */
export function objectsOf(namespace: string): readonly Manifest[] {
  const chart = new Chart(new App(), 'chart', { namespace });
  const stable = withDefaults(algorithmSpec, { image: 'translator:1.0.0', host: 'translator.example.com', lifecycle });
  const trial = { spec: { image: 'translator:1.1.0' }, replicas: 1, weight: 20 };
  new Algorithm(chart, 'stable', { ...stable, name: 'translator' });
  new AlgorithmTrial(chart, 'translator', { stable, trial, gateway: { name: 'reconstruct-gateway' } });
  new NamespaceGateway(chart, 'gateway');
  new GatewayProxies(chart, 'proxies', { workloads: ['Deployment', 'DaemonSet'] });
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
  const hook = { job: { image: 'hooks:1.0.0' } };
  const kafka = withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } }, hooks: { preRestart: hook } });
  new KafkaSharedObjects(chart, 'kafka', { ...kafka, name: 'events', namespace });
  const broker = {
    name: 'events',
    namespace,
    clusterId: 'given',
    node: { id: 0, group: 'broker', role: 'broker' },
  } as const;
  new KafkaNodePod(chart, 'broker', { ...broker, spec: kafka, image: kafkaImage(kafka), controllers: [] });
  new KafkaNodeClaim(chart, 'broker-claim', { ...broker, storage: kafka.brokers.storage });
  if (kafka.hooks?.preRestart?.job)
    new KafkaHookJob(chart, 'hook', {
      ...{ name: 'events', namespace, job: kafka.hooks.preRestart.job },
      restart: { id: 'given', hook: 'preRestart', broker: 0, pod: 'events-broker-0', ...noneInterrupted },
    });
  const job = { name: 'digits', namespace };
  new TrainingSharedObjects(chart, 'training', { ...training, ...job });
  new TrainingWorkerPod(chart, 'worker', {
    ...{ ...job, uid: 'given', spec: withDefaults(trainingJobSpec, training), worker: { index: 0, attempt: 0 } },
  });
  return chart.toJson();
}
