import { App, Chart } from 'cdk8s';
import { databaseSpec, withDefaults } from '../../../crds/index.js';
import {
  DatabaseClaim,
  DatabasePod,
  DatabaseRepository,
  DatabaseSecrets,
  DatabaseSharedObjects,
  type DatabaseSharedObjectsProps,
  type DatabaseSpecInput,
  type GeneratedSecrets,
  instanceImage,
} from '../../../src/index.js';
import type { Rendered } from '../given-rendered.js';

export const backup: NonNullable<DatabaseSpecInput['backup']> = { target: { volume: { size: '2Gi' } } };
export const bucket: NonNullable<DatabaseSpecInput['backup']> = {
  target: { s3: { endpoint: 'store.example.com', bucket: 'backups', secretRef: { name: 'store' } } },
};

/** What a user must state, and nothing else. */
export const least: DatabaseSpecInput = { storage: { size: '1Gi' }, backup };

export const drawn: GeneratedSecrets = {
  passwords: { superuser: 'super', app: 'a/b', replication: 'repl', rewind: 'back' },
  certified: {
    authority: { certificate: 'AUTHORITY', key: 'AUTHORITY KEY' },
    server: { certificate: 'SERVER', key: 'SERVER KEY' },
  },
};

/** What is rendered into a chart of namespace `shop`. */
export function rendered(into: (chart: Chart) => void): Rendered[] {
  const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
  into(chart);
  return chart.toJson();
}

/** What the instances of `orders` share. */
export function renderedDatabase(props: Partial<DatabaseSharedObjectsProps> = {}): Rendered[] {
  return rendered((chart) => new DatabaseSharedObjects(chart, 'orders', { ...least, ...props }));
}

/** The Pod `orders-2`. */
export function renderedPod(
  input: Partial<DatabaseSpecInput> = {},
  more: Partial<ConstructorParameters<typeof DatabasePod>[2]> = {},
): Rendered {
  const spec = withDefaults(databaseSpec, { ...least, ...input });
  const props = { name: 'orders', instance: 'orders-2', spec, image: instanceImage(spec), ...more };
  const [pod] = rendered((chart) => new DatabasePod(chart, 'pod', props));
  if (!pod) throw new Error('no pod was rendered');
  return pod;
}

/** Everything that a Database of this spec can become, with one instance. */
export function renderedWhole(
  input: Partial<DatabaseSpecInput> = {},
  {
    namespace = 'shop',
    certified = drawn.certified,
  }: { namespace?: string; certified?: GeneratedSecrets['certified'] } = {},
): Rendered[] {
  const spec = withDefaults(databaseSpec, { ...least, ...input });
  const who = { name: 'orders', namespace };
  const image = instanceImage(spec);
  return rendered((chart) => {
    new DatabaseSharedObjects(chart, 'database', { ...spec, ...who });
    new DatabaseSecrets(chart, 'secrets', { ...who, bootstrap: spec.bootstrap, drawn: { ...drawn, certified } });
    new DatabaseClaim(chart, 'claim', { ...who, instance: 'orders-1', storage: spec.storage });
    new DatabasePod(chart, 'pod', { ...who, instance: 'orders-1', spec, image });
    const { backup } = spec;
    if (backup) {
      new DatabaseRepository(chart, 'repository', {
        ...who,
        spec: { ...spec, backup },
        image,
        instances: ['orders-1'],
      });
    }
  });
}

/** The object of a kind and a name. @throws {Error} when there is none */
export function named(objects: readonly Rendered[], kind: string, name: string): Rendered {
  const found = objects.find((one) => one.kind === kind && one.metadata.name === name);
  if (!found)
    throw new Error(`there is no ${kind} ${name} among ${objects.map((one) => one.metadata.name).join(', ')}`);
  return found;
}
