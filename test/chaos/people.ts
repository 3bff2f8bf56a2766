import { type AlgorithmSpecInput, algorithmKind } from '../../imports/index.js';
import type { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';
import { ConfigMap, Deployment, type LiveObject, type ObjectKind, Service } from '../../operator/index.js';
import { isApiError } from '../../operator/runtime/kubernetes/errors.js';
import type { PatchOperation } from '../../operator/runtime/ports/cluster.js';
import type { Chance } from './chance.js';
import { childKinds } from './child-kinds.js';

/** The field manager of all that they write. */
export const person = 'a-person';

/**
 * Changes of what the operator states, which somebody makes behind its back. None lets go of an object by its owner reference: if its
 * resource is deleted before the operator has taken it back, it is nobody's, as was asked.
 */
const meddlings: readonly (readonly [ObjectKind, PatchOperation])[] = [
  [ConfigMap, { op: 'replace', path: '/data/a.yaml', value: 'meddled' }],
  [Service, { op: 'replace', path: '/spec/ports/0/targetPort', value: 9999 }],
  [Deployment, { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'meddled:1' }],
  [Service, { op: 'remove', path: '/metadata/labels' }],
];

type Act = 'create' | 'edit' | 'delete' | 'meddle' | 'delete a child';

/** Those who use the cluster: they create, edit and delete resources, and meddle with what these became. */
export class People {
  /** What they did, by what it was. */
  readonly counts: Record<Act | 'in vain', number> = {
    ...{ create: 0, edit: 0, delete: 0, meddle: 0, 'delete a child': 0 },
    'in vain': 0,
  };

  constructor(
    readonly cluster: KubernetesCluster,
    readonly names: readonly { readonly name: string; readonly namespace: string }[],
    readonly chance: Chance,
  ) {}

  /** Creates every resource. */
  async createAll(): Promise<void> {
    for (const at of this.names) await this.#tried('create', () => this.#state(at));
  }

  /** Does one thing, or tries to. */
  async act(): Promise<void> {
    const { chance } = this;
    const at = chance.one(this.names);
    if (chance.is(0.5)) return this.#tried('edit', () => this.#state(at));
    if (chance.is(0.3)) return this.#tried('delete', () => this.#remove(algorithmKind, at));
    if (chance.is(0.5)) return this.#tried('delete a child', () => this.#remove(chance.one(childKinds), at));
    const [kind, operation] = chance.one(meddlings);
    return this.#tried('meddle', () => this.cluster.patch(kind, at, [operation], { manager: person }));
  }

  #state({ name, namespace }: { readonly name: string; readonly namespace: string }): Promise<LiveObject> {
    const object = {
      apiVersion: 'ai.alien6.io/v1',
      kind: 'Algorithm',
      metadata: { name, namespace },
      spec: this.#spec(),
    };
    return this.cluster.apply(algorithmKind, object, { manager: person });
  }

  async #remove(kind: ObjectKind, at: { readonly name: string; readonly namespace: string }): Promise<void> {
    const { metadata } = (await this.cluster.read(kind, at)) ?? {};
    if (metadata) await this.cluster.remove(kind, at, { uid: metadata.uid });
  }

  #spec(): AlgorithmSpecInput {
    const { chance } = this;
    return {
      image: `server:${chance.between(1, 9)}`,
      port: chance.between(8000, 8009),
      ...(chance.is(0.7) && { config: { 'a.yaml': `value-${chance.between(1, 9)}`, 'b.yaml': 'b' } }),
      ...(chance.is(0.5) && { podTemplate: { env: [{ name: 'A', value: `a-${chance.between(1, 9)}` }] } }),
      ...(chance.is(0.5) ? { scaling: { maxReplicas: chance.between(2, 5) } } : { replicas: chance.between(0, 2) }),
    };
  }

  /** The API server may be away, and what was looked at may have gone. */
  async #tried(act: Act, done: () => Promise<unknown>): Promise<void> {
    try {
      await done();
      this.counts[act]++;
    } catch (error) {
      const mayBe =
        isApiError(error) && (error.code === 0 || error.code >= 500 || [403, 404, 409, 422, 429].includes(error.code));
      if (!mayBe) throw error;
      this.counts['in vain']++;
    }
  }
}
