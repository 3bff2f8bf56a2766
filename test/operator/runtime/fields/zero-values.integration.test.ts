import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { etcdCluster } from '../../../../operator/controllers/etcd/index.js';
import { controllers } from '../../../../operator/controllers/index.js';
import { contains, driftOf } from '../../../../operator/runtime/fields/contains.js';
import { fieldText } from '../../../../operator/runtime/fields/field-path.js';
import { typeOf } from '../../../../operator/runtime/fields/field-types.js';
import { isApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { apiVersionOf, groupKindOf } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { go } from '../../../../operator/testing/binaries/go.js';
import { administratorOf, freshNamespace, givenControlPlane } from '../../../given/control-plane.js';
import { type ZeroCase, zeroCases } from './given/zero-cases.js';
import { absentFields, type Path, type Schema, type Schemas, valueAt, withField } from './given/zero-fields.js';

const controlPlane = givenControlPlane();
const manager = 'reconstruct-zero';
let namespace: string;

beforeAll(async () => {
  namespace = await freshNamespace(controlPlane, 'zero');
  await controlPlane.kubectl(['wait', '--for=create', 'serviceaccount/default', `--namespace=${namespace}`]);
});

test('R17 each kind of Kubernetes that a controller of this package owns is tried', () => {
  const owned = [...controllers, etcdCluster].flatMap(({ owns }) => owns);
  const ofKubernetes = owned.filter(({ group, kind }) => typeOf(`${group}/${kind}`));
  const tried = zeroCases.map(({ kind }) => groupKindOf(kind));
  expect(ofKubernetes.map(groupKindOf).filter((kind) => !tried.includes(kind))).toEqual([]);
});

test.each(zeroCases)(
  'R17 R18 the API server keeps the zero values that it is known to keep, and no others: $kind.kind',
  async (given) => {
    const { kind } = given;
    const cluster = await administratorOf(controlPlane);
    const { manifest, fields } = await fullOfZeros(given);
    const named = (name: string) => ({ ...manifest, metadata: { ...manifest.metadata, name } });
    await cluster.create(kind, named('created'), { manager, strict: true });
    await cluster.apply(kind, named('applied'), { manager });
    for (const name of ['created', 'applied']) {
      const live = (await cluster.read(kind, { name, namespace })) as LiveObject;
      // A default that the server fills in says nothing of the zero value.
      const wish = fields.reduce((some, path) => {
        const value = valueAt(live, path);
        return isDefault(value, valueAt(manifest, path)) ? withField(some, { path, value }) : some;
      }, named(name));
      expect(driftOf(live, wish).map(fieldText)).toEqual([]);
      const kept = fields.filter((path) => (valueAt(live, path) ?? undefined) !== undefined);
      expect(kept.filter((path) => contains(withField(live, { path, value: undefined }), wish)).map(textOf)).toEqual(
        [],
      );
      expect(fields.length - kept.length, 'omitted fields').toBeGreaterThan(0);
    }
  },
);

test('R17 the list of omitted fields is what its generator writes', async () => {
  const file = join(tmpdir(), `zero-values-${process.pid}.ts`);
  await go(['run', '-trimpath', '-buildvcs=false', './zero-values', file], {
    folder: 'operator/testing/kubernetes',
    env: process.env,
  });
  expect(await readFile('operator/runtime/fields/zero-values.ts', 'utf8')).toBe(await readFile(file, 'utf8'));
});

/**
 * Fields that others write, that end the object, or that the server removes for other reasons: an empty reference, or a
 * feature that is disabled.
 */
const left = [
  ...['status', 'apiVersion', 'kind', 'ttlSecondsAfterFinished', 'dataSource', 'sessionAffinityConfig'],
  ...['stopSignal', 'schedulingGroup', 'clusterTrustBundle', 'podCertificate'],
];
/** Fields of a Lease that belong to a feature that is disabled. */
const ofDisabledElection = ['spec.preferredHolder', 'spec.strategy'];
const ofMetadata = ['labels', 'annotations', 'finalizers', 'ownerReferences'];

function isTried([first, second, ...rest]: Path): boolean {
  if (first === 'metadata') return rest.length === 0 && ofMetadata.includes(String(second));
  const path = [first, second, ...rest];
  return !ofDisabledElection.includes(textOf(path as Path)) && !path.some((step) => left.includes(String(step)));
}

/** An object with all zero values that the server accepts together. */
async function fullOfZeros({ kind, content }: ZeroCase): Promise<{ manifest: Manifest; fields: Path[] }> {
  const cluster = await administratorOf(controlPlane);
  const about = await schemasOf(kind);
  let manifest = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name: 'zero', namespace }, ...content };
  const dryRun = { manager, strict: true, dryRun: true } as const;
  await cluster.create(kind, manifest, dryRun);
  const [fields, tried]: [Path[], Set<string>] = [[], new Set()];
  // An accepted record has fields of its own.
  for (let next = absentFields(manifest, about); next.length > 0; next = absentFields(manifest, about)) {
    next = next.filter(({ path }) => isTried(path) && !tried.has(textOf(path)));
    if (next.length === 0) break;
    for (const field of next) {
      tried.add(textOf(field.path));
      const more = withField(manifest, field);
      const isAccepted = await cluster.create(kind, more, dryRun).then(() => true, isRefused);
      if (isAccepted) [manifest] = [more, fields.push(field.path)];
    }
  }
  return { manifest, fields };
}

function isRefused(error: unknown): false {
  if (isApiError(error)) return false;
  throw error;
}

async function schemasOf({ group, version, kind }: ZeroCase['kind']): Promise<{ schema: Schema; schemas: Schemas }> {
  const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
  const { stdout } = await controlPlane.kubectl(['get', '--raw', `/openapi/v3/${path}`]);
  const { schemas } = (JSON.parse(stdout) as { components: { schemas: Schemas } }).components;
  const isOf = (one: Schema) =>
    one['x-kubernetes-group-version-kind']?.some((name) => name.kind === kind && name.version === version);
  const schema = Object.values(schemas).find(isOf);
  if (!schema) throw new Error(`the API server has no schema of ${kind}`);
  return { schema, schemas };
}

/** True for a value that the server has put in the place of a zero value. */
function isDefault(value: unknown, wanted: unknown): boolean {
  if (value === undefined || value === null) return false;
  const isFilled = Object.keys(wanted as object).length === 0 && Object.keys(value).length > 0;
  return typeof wanted === 'object' ? isFilled : value !== wanted;
}

const textOf = (path: Path) => path.join('.');
