import { Chart, Testing } from 'cdk8s';
import { expect, test } from 'vitest';
import { backups, database } from '../../../operator/controllers/database/index.js';
import { databaseBackup } from '../../../operator/controllers/database-backup/index.js';
import { withImageRepositories } from '../../../operator/controllers/image-repositories.js';
import { kafkaCluster } from '../../../operator/controllers/kafka/cluster/index.js';
import { type Controller, type Facts, Secret } from '../../../operator/runtime/index.js';
import { ObservedDependencies } from '../../../operator/runtime/memory/observed-dependencies.js';
import { factsOf } from '../../../operator/testing/index.js';
import { drawn } from './database/given-answers.js';
import { givenBackup, givenDatabase } from './database-backup/given-backup.js';

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
function imagesOf(index: number, spec: object, repository: string): readonly string[] {
  const resource = givenDatabase({ backup: { target: { volume: {} } }, ...spec });
  const [controller] = withImageRepositories(
    { postgresRepository: repository, kafkaRepository: '' },
    controllers,
  ).slice(index);
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
  expect(imagesOf(index, {}, mine)).toEqual(every(`${mine}:15.20`));
  expect(imagesOf(index, {}, '')).toEqual(every('registry.alien6.io/reconstruct/postgres:15.20'));
  expect(imagesOf(index, { image: 'own:1' }, mine)).toEqual(every('own:1'));
});

test('a fact that a controller does not read is no dependency of its result', () => {
  const reading = { ...database, desire: (_, { resource }) => resource.spec } as Controller;
  const [controller] = withImageRepositories({ postgresRepository: mine, kafkaRepository: '' }, [reading]);
  const dependencies = new ObservedDependencies();
  const facts = dependencies.of(factsOf(givenDatabase({}), { reads: reads as never }));
  controller?.desire(new Chart(Testing.app(), 'chart'), facts);
  expect(dependencies).toMatchObject({ now: false, status: false, elsewhere: false });
});

test('controllers of other kinds are the same', () => {
  const other = { ...database, kind: Secret, reads: {} } as unknown as Controller;
  expect(withImageRepositories({ postgresRepository: mine, kafkaRepository: mine }, [other])).toEqual([other]);
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
  const [controller] = withImageRepositories({ postgresRepository: mine, kafkaRepository }, [reading]);
  const spec = { version: '4.3', ...(image !== undefined && { image }) };
  controller?.desire(new Chart(Testing.app(), 'chart'), factsOf({ metadata: { name: 'events' }, spec } as never, {}));
  expect(seen).toEqual([is]);
});
