import { App, Chart } from 'cdk8s';
import { type AlgorithmResource, algorithmKind } from '../../../imports/index.js';
import type { KubernetesCluster } from '../../../operator/cluster/kubernetes-cluster.js';
import type { LiveObject, Manifest, ObjectKind } from '../../../operator/index.js';
import { conditionOf } from '../../../operator/runtime/index.js';
import { Algorithm } from '../../../src/index.js';
import { type Child, changedPaths, comparable } from '../../acceptance/given/comparable.js';
import { childKinds } from '../child-kinds.js';
import { person } from '../people.js';
import { withoutOthersFiles } from './foreign-files.js';

const manager = 'census';
const atOnce = 8;

/** Compares what is there with what the resources should have become, by an independent rendering of their specs. */
export class Census {
  /** What the API server makes of a rendered object: the same object is asked for once. */
  readonly #stored = new Map<string, Promise<Child>>();

  /** @param scratch a namespace in which the API server is asked what it would store; nothing is */
  constructor(
    readonly cluster: KubernetesCluster,
    readonly scratch: string,
  ) {}

  /** What is not as it should be, in a line each. */
  async differences(): Promise<readonly string[]> {
    const resources = (await this.#all(algorithmKind)) as readonly AlgorithmResource[];
    const children = (await Promise.all(childKinds.map((kind) => this.#all(kind)))).flat();
    const coarse = [...resources.flatMap(unobserved), ...orphans(children, resources)];
    if (coarse.length > 0) return coarse;
    const found: string[] = [];
    const left = [...resources];
    const count = async () => {
      for (let one = left.pop(); one; one = left.pop()) found.push(...(await this.#wrong(one, children)));
    };
    await Promise.all(Array.from({ length: atOnce }, count));
    return found;
  }

  /** The UIDs of the resources that there are, and how many children. */
  async count(): Promise<{ readonly resources: ReadonlySet<string>; readonly children: number }> {
    const all = await Promise.all([algorithmKind, ...childKinds].map((kind) => this.#all(kind)));
    const [resources = [], ...children] = all;
    return { resources: new Set(resources.map(({ metadata }) => metadata.uid)), children: children.flat().length };
  }

  async #all(kind: ObjectKind): Promise<readonly LiveObject[]> {
    const { items } = await this.cluster.list(kind, {});
    return items;
  }

  async #wrong(resource: AlgorithmResource, children: readonly LiveObject[]): Promise<readonly string[]> {
    const { uid, namespace, name } = resource.metadata;
    const own = new Map(children.filter((child) => ownerOf(child) === uid).map((child) => [keyOf(child), child]));
    const wanted = new Map(rendered(resource).map((manifest) => [keyOf(manifest), manifest]));
    const at = `${namespace}/${name}`;
    const lines = [
      ...[...wanted.keys()].filter((key) => !own.has(key)).map((key) => `${at} lacks ${key}`),
      ...[...own.keys()].filter((key) => !wanted.has(key)).map((key) => `${at} has ${key} too much`),
    ];
    for (const [key, manifest] of wanted) {
      const live = own.get(key);
      const made = live && asMade(withoutOthersFiles(live, manifest, person), manifest);
      const paths = made ? changedPaths(await this.#asStored(manifest), made) : [];
      if (paths.length > 0)
        lines.push(`${at}: ${key} differs at ${paths.join(', ')}; it says ${complaintOf(resource)}`);
    }
    return lines;
  }

  #asStored(manifest: Manifest): Promise<Child> {
    const text = JSON.stringify(manifest);
    const known = this.#stored.get(text);
    if (known) return known;
    const kind = childKinds.find((one) => one.kind === manifest.kind);
    if (!kind) throw new Error(`a ${manifest.kind} is none of the kinds that an Algorithm becomes`);
    const object = { ...manifest, metadata: { ...manifest.metadata, namespace: this.scratch } };
    const stored = this.cluster.create(kind, object, { manager, dryRun: true }).then((one) => asMade(one, manifest));
    this.#stored.set(text, stored);
    return stored;
  }
}

/** Why a resource does not get on, in its own words. */
function complaintOf(resource: AlgorithmResource): string {
  const stalled = conditionOf(resource, 'Stalled');
  return stalled?.status === 'True' ? stalled.message : 'nothing';
}

function rendered({ metadata, spec }: AlgorithmResource): readonly Manifest[] {
  const chart = new Chart(new App(), 'census');
  new Algorithm(chart, 'algorithm', { ...spec, name: metadata.name });
  return chart.toJson() as readonly Manifest[];
}

function unobserved({ metadata, status }: AlgorithmResource): readonly string[] {
  if (metadata.deletionTimestamp) return [`${metadata.namespace}/${metadata.name} is still being deleted`];
  if (status?.observedGeneration === metadata.generation) return [];
  const told = `${status?.observedGeneration} of ${metadata.generation}`;
  return [`${metadata.namespace}/${metadata.name} is observed at generation ${told}`];
}

/** The objects of deleted resources, and the objects without an owner. */
function orphans(children: readonly LiveObject[], resources: readonly LiveObject[]): readonly string[] {
  const uids = new Set(resources.map(({ metadata }) => metadata.uid));
  return children
    .filter((child) => !child.metadata.name.startsWith('kube-') && !uids.has(ownerOf(child) ?? ''))
    .filter(({ metadata }) => metadata.namespace?.startsWith('chaos-'))
    .map(
      (child) => `${child.metadata.namespace}: ${keyOf(child)}, made ${child.metadata.creationTimestamp}, is an orphan`,
    );
}

function ownerOf({ metadata }: LiveObject): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller)?.uid;
}

function keyOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`;
}

/** Without the operator's labels, and without fields of others. */
function asMade(live: LiveObject, { spec }: Manifest & { readonly spec?: object }): Child {
  const { metadata, ...object } = comparable(live);
  const { ownerReferences: _owner, labels, ...rest } = metadata;
  const { 'reconstruct.dev/controller': _label, ...others } = labels ?? {};
  // An autoscaler sets it where the spec does not.
  const scaled = live.kind === 'Deployment' && !('replicas' in (spec ?? {}));
  const { replicas: _replicas, ...unscaled } = object.spec ?? {};
  return {
    ...object,
    ...(object.spec && { spec: scaled ? unscaled : object.spec }),
    metadata: { ...rest, labels: others },
  };
}
