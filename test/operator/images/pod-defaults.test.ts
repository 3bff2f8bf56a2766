import { Chart, Testing } from 'cdk8s';
import { expect, test } from 'vitest';
import { algorithmSpec, withDefaults } from '../../../crds/index.js';
import { algorithm } from '../../../operator/controllers/algorithm/index.js';
import { backups, database } from '../../../operator/controllers/database/index.js';
import { databasePods } from '../../../operator/controllers/database/options.js';
import { databaseBackup } from '../../../operator/controllers/database-backup/index.js';
import { etcdCluster } from '../../../operator/controllers/etcd/index.js';
import { etcdPods } from '../../../operator/controllers/etcd/options.js';
import { kafkaCluster } from '../../../operator/controllers/kafka/cluster/index.js';
import { kafkaPods } from '../../../operator/controllers/kafka/options.js';
import { trainingJob } from '../../../operator/controllers/training/index.js';
import { trainingPods } from '../../../operator/controllers/training/options.js';
import { type PodOptions, withPodDefaults } from '../../../operator/images/pod-defaults.js';
import { type Controller, type Facts, Secret } from '../../../operator/runtime/index.js';
import { ObservedDependencies } from '../../../operator/runtime/memory/observed-dependencies.js';
import { factsOf } from '../../../operator/testing/index.js';
import { drawn } from '../controllers/database/given-answers.js';
import { givenBackup, givenDatabase } from '../controllers/database-backup/given-backup.js';

type Options = PodOptions<'postgresRepository' | 'kafkaRepository'>;

const release: Options = { imageRegistry: '', imagePullSecrets: [], postgresRepository: '', kafkaRepository: '' };
const configured = (options: Partial<Options>, given: readonly Controller[]) =>
  withPodDefaults([databasePods, kafkaPods, etcdPods, trainingPods], { ...release, ...options }, given);
const mine = 'registry.example.com/mine/postgres';
const controllers = [database, backups, databaseBackup] as unknown as readonly Controller[];
const answers = { known: true, value: drawn, at: 0, earlier: [] } as const;
const reads = {
  nodes: [],
  claims: [],
  sources: [],
  archives: [],
  archiveClaimants: [],
  backups: [],
  backup: undefined,
  siblings: [],
};

/** The images of all containers that a controller wants for a Database of this spec. */
function imagesOf(index: number, spec: object, options: Partial<Options>): readonly string[] {
  const resource = givenDatabase({ backup: { target: { volume: {} } }, ...spec });
  const [controller] = configured(options, controllers).slice(index);
  const facts = factsOf(index === 2 ? givenBackup('orders-1', { spec: {} }) : resource, {
    reads: { ...reads, database: resource } as never,
    polled: { credentials: answers },
  });
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'shop' });
  controller?.desire(chart, facts);
  const pods = chart.toJson().filter(({ kind }: { kind: string }) => kind === 'Pod');
  return pods.flatMap(({ spec: { containers } }) => containers.map(({ image }: { image: string }) => image));
}

test.each([
  { what: 'an instance', index: 0 },
  { what: 'the place of backups', index: 1 },
  { what: 'who makes a backup', index: 2 },
])('$what runs the image of the repository that the operator is told, or that its spec states', ({ index }) => {
  const every = (image: string) =>
    expect.toSatisfy((images: string[]) => images.length > 0 && images.every((one) => one === image));
  const postgresRepository = mine;
  const imageRegistry = 'registry.example.com:5000/mirror';
  expect(imagesOf(index, {}, { postgresRepository })).toEqual(every(`${mine}:15.20`));
  expect(imagesOf(index, {}, {})).toEqual(every('registry.alien6.io/reconstruct/postgres:15.20'));
  expect(imagesOf(index, { image: 'own:1' }, { postgresRepository })).toEqual(every('own:1'));
  expect(imagesOf(index, {}, { imageRegistry })).toEqual(every(`${imageRegistry}/postgres:15.20`));
  expect(imagesOf(index, {}, { imageRegistry, postgresRepository })).toEqual(every(`${mine}:15.20`));
  expect(imagesOf(index, { image: 'own:1' }, { imageRegistry })).toEqual(every('own:1'));
});

test('a fact that a controller does not read is no dependency of its result', () => {
  const reading = { ...database, desire: (_, { resource }) => resource.spec } as Controller;
  const [controller] = configured({ postgresRepository: mine, imagePullSecrets: ['mirror'] }, [reading]);
  const dependencies = new ObservedDependencies();
  const facts = dependencies.of(factsOf(givenDatabase({}), { reads: reads as never }));
  controller?.desire(new Chart(Testing.app(), 'chart'), facts);
  expect(dependencies).toMatchObject({ now: false, status: false, elsewhere: false });
});

test('a spec is filled once, however often a controller reads it', () => {
  const read: unknown[] = [];
  const reading = {
    ...database,
    desire: (_, { resource }) => void read.push(resource.spec, resource.spec),
  } as Controller;
  const [controller] = configured({ postgresRepository: mine, imagePullSecrets: ['mirror'] }, [reading]);
  controller?.desire(new Chart(Testing.app(), 'chart'), factsOf(givenDatabase({})));
  expect(read[0]).toMatchObject({ podTemplate: { imagePullSecrets: [{ name: 'mirror' }] } });
  expect(read[1]).toBe(read[0]);
});

test('controllers of other kinds are the same', () => {
  const other = { ...database, kind: Secret, reads: {} } as unknown as Controller;
  expect(configured({ postgresRepository: mine, kafkaRepository: mine, imageRegistry: 'mirror' }, [other])).toEqual([
    other,
  ]);
});

test.each([
  {
    is: 'registry.example.com/mine/kafka:4.3.1',
    when: 'the operator has another repository',
    kafkaRepository: 'registry.example.com/mine/kafka',
    image: undefined,
  },
  { is: 'own:1', when: 'the spec has an image', kafkaRepository: 'registry.example.com/mine/kafka', image: 'own:1' },
  { is: undefined, when: 'the operator has the repository of the release', kafkaRepository: '', image: undefined },
])('the image in the spec of a KafkaCluster is $is when $when', ({ is, kafkaRepository, image }) => {
  const seen: unknown[] = [];
  const reading = {
    ...kafkaCluster,
    desire: (_: unknown, { resource }: Facts) => seen.push((resource.spec as { readonly image?: string }).image),
  } as unknown as Controller;
  const [controller] = configured({ postgresRepository: mine, kafkaRepository }, [reading]);
  const spec = { version: '4.3', ...(image !== undefined && { image }) };
  controller?.desire(new Chart(Testing.app(), 'chart'), factsOf({ metadata: { name: 'events' }, spec } as never, {}));
  expect(seen).toEqual([is]);
});

/** What `desire` of a controller of the kind sees in the spec. */
function seenSpec(like: Controller, options: Partial<Options>, spec: object): object {
  const seen: object[] = [];
  const reading = { ...like, desire: (_: unknown, { resource }: Facts) => seen.push(resource.spec as object) };
  const [controller] = configured(options, [reading as unknown as Controller]);
  controller?.desire(new Chart(Testing.app(), 'chart'), factsOf({ metadata: { name: 'one' }, spec } as never, {}));
  return seen[0] ?? expect.fail('not called');
}

const imagePullSecrets = ['mirror', 'team'];
const secrets = [{ name: 'mirror' }, { name: 'team' }];
const own = [{ name: 'own' }];

test.each([
  {
    what: 'a Database',
    like: database,
    spec: { replicas: 3 },
    is: { replicas: 3, podTemplate: { imagePullSecrets: secrets } },
  },
  {
    what: 'other settings of Pods',
    like: database,
    spec: { podTemplate: { labels: { a: 'b' }, imagePullSecrets: [] } },
    is: { podTemplate: { labels: { a: 'b' }, imagePullSecrets: secrets } },
  },
  {
    what: 'a spec that names its own',
    like: database,
    spec: { podTemplate: { imagePullSecrets: own } },
    is: { podTemplate: { imagePullSecrets: own } },
  },
  {
    what: 'all groups of nodes and all Jobs of a KafkaCluster',
    like: kafkaCluster,
    spec: {
      brokers: { replicas: 3, podTemplate: { imagePullSecrets: own } },
      controllers: {},
      pools: [{ name: 'large' }, { name: 'small', podTemplate: { imagePullSecrets: own } }],
      hooks: { preRestart: { job: { image: 'hook:1' } }, postRestart: { http: { url: 'https://hooks.example.com' } } },
    },
    is: {
      brokers: { replicas: 3, podTemplate: { imagePullSecrets: own } },
      controllers: { podTemplate: { imagePullSecrets: secrets } },
      pools: [
        { name: 'large', podTemplate: { imagePullSecrets: secrets } },
        { name: 'small', podTemplate: { imagePullSecrets: own } },
      ],
      hooks: {
        preRestart: { job: { image: 'hook:1', podTemplate: { imagePullSecrets: secrets } } },
        postRestart: { http: { url: 'https://hooks.example.com' } },
      },
    },
  },
  { what: 'an EtcdCluster', like: etcdCluster, spec: {}, is: { podTemplate: { imagePullSecrets: secrets } } },
  { what: 'a TrainingJob', like: trainingJob, spec: {}, is: { podTemplate: { imagePullSecrets: secrets } } },
  { what: 'no Algorithm, whose workloads get them', like: algorithm, spec: {}, is: {} },
])('the pull secrets of the operator are in the spec of $what', ({ like, spec, is }) => {
  expect(seenSpec(like, { imagePullSecrets }, spec)).toEqual(is);
  expect(seenSpec(like, {}, spec)).toEqual(spec);
});

test('an EtcdCluster runs the image of the registry, or the one in its spec', () => {
  const imageRegistry = 'registry.example.com/mirror';
  expect(seenSpec(etcdCluster, { imageRegistry }, {})).toEqual({ image: 'registry.example.com/mirror/etcd:3.4.23' });
  expect(seenSpec(etcdCluster, { imageRegistry }, { image: 'own:1' })).toEqual({ image: 'own:1' });
});

test('a poll sees the same spec as the functions of the controller', () => {
  const request = ({ resource }: Pick<Facts, 'resource'>) => ({ question: resource.spec, interval: 1 });
  const asking = { ...kafkaCluster, polls: { engine: { port: { name: 'a' }, request } } } as unknown as Controller;
  const [controller] = configured({ kafkaRepository: 'mine/kafka', imagePullSecrets: ['mirror'] }, [asking]);
  const facts = factsOf({ metadata: { name: 'events' }, spec: { version: '4.3', brokers: {} } } as never, {});
  expect(controller?.polls['engine']?.request(facts)?.question).toEqual({
    version: '4.3',
    image: 'mine/kafka:4.3.1',
    brokers: { podTemplate: { imagePullSecrets: [{ name: 'mirror' }] } },
  });
});

/** The Deployment of an Algorithm. */
function deploymentOf(options: Partial<Options>, spec: object) {
  const [controller] = configured(options, [algorithm]);
  const metadata = { name: 'reco', namespace: 'shop' };
  const resource = {
    apiVersion: 'ai.alien6.io/v1',
    kind: 'Algorithm',
    metadata,
    spec: withDefaults(algorithmSpec, spec as never),
  };
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'shop' });
  controller?.desire(chart, factsOf(resource as never, { polled: {} }));
  return chart.toJson().find(({ kind }: { kind: string }) => kind === 'Deployment');
}

test.each([
  { is: secrets, when: 'its spec names none', spec: {} },
  { is: own, when: 'its spec names them', spec: { podTemplate: { imagePullSecrets: own } } },
])('the pull secrets of an Algorithm are $is when $when, and start no trial', ({ is, spec }) => {
  const stated = { image: 'registry.example.com/reco:1', ...spec };
  const before = deploymentOf({}, stated);
  const after = deploymentOf({ imagePullSecrets }, stated);
  expect(after.spec.template.spec.imagePullSecrets).toEqual(is);
  expect(after.metadata).toEqual(before.metadata);
  expect(after.spec.template.metadata).toEqual(before.spec.template.metadata);
});
