import { createHash } from 'node:crypto';
import { allKinds, withDefaults } from '../../crds/index.js';
import type { Manifest, ObjectKind } from '../../operator/index.js';
import { MemoryCluster } from '../../operator/testing/index.js';
import type { Loose } from '../given.js';

type ApplyOptions = Parameters<MemoryCluster['apply']>[2];
type CreateOptions = Parameters<MemoryCluster['create']>[2];
type Seen = Parameters<MemoryCluster['remove']>[2];
type Applied = ReturnType<MemoryCluster['apply']>;

/** An object that the operator sent. */
export interface Sent {
  readonly object: Manifest;
  readonly subresource?: 'status' | undefined;
}

/** Field managers of everybody else. */
export const user = 'user';
export const kubelet = 'kubelet';

/**
 * A memory cluster that fills in the defaults of this project's kinds, as an API server does, and records what is written.
 * The UID of an object follows from its kind, its name and the number of its predecessors.
 */
export class RecordedCluster extends MemoryCluster {
  /** Created or applied by the operator. */
  sent: Sent[] = [];
  /** Kinds and names of objects that were removed. */
  removed: string[] = [];
  readonly #births: { readonly count: Map<string, number>; next: string };

  constructor(now: () => number) {
    const births = { count: new Map<string, number>(), next: '' };
    const uid = () => {
      const count = (births.count.get(births.next) ?? 0) + 1;
      births.count.set(births.next, count);
      return uuidOf(`${births.next} ${count}`);
    };
    super({ now, uid });
    this.#births = births;
  }

  override create(kind: ObjectKind, object: Manifest, options: CreateOptions): Applied {
    this.#note(kind, object, options);
    return super.create(kind, stored(object), options);
  }

  override apply(kind: ObjectKind, object: Manifest, options: ApplyOptions): Applied {
    this.#note(kind, object, options);
    if (options.subresource) return super.apply(kind, object, options);
    const { whole, ...others } = options;
    return super.apply(kind, stored(object), { ...others, ...(whole && { whole: stored(whole) }) });
  }

  override remove(kind: ObjectKind, name: Parameters<MemoryCluster['remove']>[1], seen: Seen, options?: object) {
    this.removed.push(`${kind.kind} ${name.namespace ?? ''}/${name.name}`);
    return super.remove(kind, name, seen, options);
  }

  /** The call that follows creates the object before it waits for anything. */
  #note(kind: ObjectKind, object: Manifest, { manager, subresource, dryRun }: CreateOptions): void {
    const { namespace = '', name } = object.metadata;
    this.#births.next = `${kind.group} ${kind.kind} ${namespace}/${name}`;
    if (!dryRun && manager !== user && manager !== kubelet) this.sent.push({ object, subresource });
  }
}

function stored<M extends Manifest>(object: M): M {
  const kind = allKinds.find((one) => one.kind === object.kind && object.apiVersion.startsWith(`${one.group}/`));
  const version = kind?.versions.find(({ name }) => object.apiVersion.endsWith(`/${name}`));
  const { spec } = object as Loose<M>;
  return version && spec ? { ...object, spec: withDefaults(version.spec, spec as never) } : object;
}

function uuidOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20, 32),
  ].join('-');
}
