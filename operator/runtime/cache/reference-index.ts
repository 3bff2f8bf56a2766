import type { CustomResource } from '../controller/custom-resource.js';
import { hasLabels, indexedValues, type Labels, type Read, type Reads, type Reference } from '../controller/reads.js';
import { isSame } from '../kubernetes/equality.js';
import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import { keyOf, type LiveObject, type ObjectKey } from '../kubernetes/object.js';
import { isPartial } from '../kubernetes/partial-metadata.js';
import { placeOf } from '../ownership/inventory.js';
import type { Change } from './listeners.js';

/** What a resource refers to: a kind in a namespace. The namespace is '' for cluster-scoped kinds. */
interface Place {
  readonly kind: ObjectKind;
  /** Undefined for all watched namespaces. */
  readonly namespace: string | undefined;
}

/** One reference of a resource. */
interface Referring {
  readonly kind: ObjectKind;
  readonly place: string;
  readonly reference: Reference;
}

/** What is known of a resource that refers to other objects. */
interface Followed {
  readonly stated: string;
  readonly places: readonly Place[];
  /** Functions that remove it from the indexes. */
  readonly undo: readonly (() => void)[];
}

/**
 * Knows which resources of one controller refer to which objects, so that a change triggers a reconcile of only those
 * resources.
 *
 * Holds keys only. The information about a resource is as old as its last {@link ReferenceIndex.follow}.
 */
export class ReferenceIndex {
  /** The resources that refer to an object by its name. */
  readonly #named = new Map<string, Set<ObjectKey>>();
  /** The resources that refer to objects of a namespace by labels, with these labels. */
  readonly #labelled = new Map<string, Map<ObjectKey, readonly Labels[]>>();
  /** The resources that refer to objects by a value of an index. */
  readonly #indexed = new Map<string, Set<ObjectKey>>();
  readonly #followed = new Map<ObjectKey, Followed>();
  /** The reads by an index, by their names. */
  readonly #indexes: readonly (readonly [string, Read])[];

  constructor(readonly reads: Reads) {
    this.#indexes = Object.entries(reads).filter(([, { indexFunc }]) => indexFunc);
  }

  /**
   * Records what a resource refers to now, by its spec and by the last accepted spec. A resource whose references fail
   * to compute refers to nothing, and its reconcile reports the error.
   */
  follow(resource: CustomResource, ...accepted: readonly CustomResource[]): void {
    const key = keyOf(resource.metadata);
    const references = [resource, ...accepted].flatMap((one) => this.#referencesOf(one));
    const stated = JSON.stringify(references.map(({ place, reference }) => [place, reference]));
    if (this.#followed.get(key)?.stated === stated) return;
    this.forget(key);
    if (references.length === 0) return;
    const undo = references.map((one) => this.#add(key, one));
    const places = new Map<string, Place>();
    for (const { kind, reference } of references) {
      const namespace = 'value' in reference ? undefined : reference.namespace;
      places.set(placeOf({ kind, key: namespace ?? '*' }), { kind, namespace });
    }
    this.#followed.set(key, { stated, places: [...places.values()], undo });
  }

  /** The places that a resource refers to, each once. */
  placesOf(key: ObjectKey): readonly Place[] {
    return this.#followed.get(key)?.places ?? [];
  }

  /** For a resource that is gone. */
  forget(key: ObjectKey): void {
    for (const undo of this.#followed.get(key)?.undo ?? []) undo();
    this.#followed.delete(key);
  }

  /** The resources that refer to an object. */
  readersOf(kind: ObjectKind, object: LiveObject): ReadonlySet<ObjectKey> {
    const { namespace = '' } = object.metadata;
    const readers = new Set(this.#named.get(placeOf({ kind, key: keyOf(object.metadata) })));
    for (const [key, selections] of this.#labelled.get(placeOf({ kind, key: namespace })) ?? []) {
      if (selections.some((labels) => hasLabels(object, labels))) readers.add(key);
    }
    for (const value of this.#valuesOf(kind, object))
      for (const key of this.#indexed.get(value) ?? []) readers.add(key);
    return readers;
  }

  /** True if an index has a value for the object. A resource that refers to the value later must find it whole. */
  isIndexed(kind: ObjectKind, object: LiveObject): boolean {
    return this.#valuesOf(kind, object).length > 0;
  }

  /**
   * The resources that a change triggers. A resource that started or stopped referring to the object is always among
   * them.
   */
  wokenBy(kind: ObjectKind, { before, after }: Pick<Change, 'before' | 'after'>): ReadonlySet<ObjectKey> {
    const earlier = new Set(before && this.readersOf(kind, before));
    const now = new Set(after && this.readersOf(kind, after));
    const isNews = !before || !after || this.#differ(kind, before, after);
    const woken = [...earlier, ...now].filter((key) => isNews || !earlier.has(key) || !now.has(key));
    return new Set(woken);
  }

  /** Whether the functions of the controller could see a different object. */
  #differ(kind: ObjectKind, before: LiveObject, after: LiveObject): boolean {
    if (isPartial(before) || isPartial(after)) return true;
    const reads = Object.values(this.reads).filter((read) => groupKindOf(read.kind) === groupKindOf(kind));
    try {
      return reads.some(({ part }) => !part || !isSame(part(before), part(after)));
    } catch {
      return true; // the reconcile meets the same error and reports it
    }
  }

  /** The values of an object in each index of its kind, as they are kept. A function that throws gives none. */
  #valuesOf(kind: ObjectKind, object: LiveObject): readonly string[] {
    return this.#indexes.flatMap(([name, read]) => {
      if (groupKindOf(read.kind) !== groupKindOf(kind)) return [];
      try {
        return indexedValues(read, object).map((value) => indexKey(name, value));
      } catch {
        return [];
      }
    });
  }

  #referencesOf(resource: CustomResource): Referring[] {
    try {
      return Object.entries(this.reads).flatMap(([name, { kind, ...read }]) =>
        read.refersTo(resource).map((reference) => {
          return { kind, place: placeOfReference({ kind, name }, reference), reference };
        }),
      );
    } catch {
      return [];
    }
  }

  /** @returns a function that undoes it */
  #add(key: ObjectKey, { place, reference }: Referring): () => void {
    if (!('labels' in reference)) {
      const index = 'name' in reference ? this.#named : this.#indexed;
      const readers = index.get(place) ?? new Set();
      index.set(place, readers.add(key));
      return () => {
        readers.delete(key);
        if (readers.size === 0) index.delete(place);
      };
    }
    const readers = this.#labelled.get(place) ?? new Map<ObjectKey, readonly Labels[]>();
    this.#labelled.set(place, readers.set(key, [...(readers.get(key) ?? []), reference.labels]));
    return () => {
      readers.delete(key);
      if (readers.size === 0) this.#labelled.delete(place);
    };
  }
}

/** What a reference names: an object, a namespace, or a value of an index. */
function placeOfReference({ kind, name }: { kind: ObjectKind; name: string }, reference: Reference): string {
  if ('value' in reference) return indexKey(name, reference.value);
  return placeOf({ kind, key: 'name' in reference ? keyOf(reference) : reference.namespace });
}

/** @param name name of the read */
function indexKey(name: string, value: string): string {
  return `${name} ${value}`;
}
