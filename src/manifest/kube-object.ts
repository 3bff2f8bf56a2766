import { ApiObject, App, ImplicitTokenResolver, type JsonPatch, LazyResolver, NumberStringUnionResolver } from 'cdk8s';
import type { Construct } from 'constructs';
import { refuseMisreadTexts } from '../validation/misread-text.js';
import { requireUnique } from '../validation/unique-objects.js';
import type { Manifest } from './plain.js';

/**
 * A Kubernetes object in the construct tree, created from a manifest in plain JSON. It renders in a fraction of the
 * time of the generated classes, and differs from an `ApiObject` in two ways:
 * - Its namespace is that of its manifest. It does not inherit the namespace of the chart, which cluster-scoped objects
 *   must not have.
 * - Maps can have any key. cdk8s refuses a map with the key `constructor` and loses the key `__proto__`.
 */
export class KubeObject extends ApiObject {
  private readonly manifest: Manifest;
  private readonly hostile: boolean;
  private patched = false;

  constructor(scope: Construct, id: string, manifest: Manifest) {
    const hostile = hasHostileKey(manifest);
    const safe = hostile ? renamedKeys(manifest, (key) => (hostileKeys.has(key) ? `${mark}${key}` : key)) : manifest;
    super(scope, id, { ...safe, metadata: { ...safe.metadata } });
    this.manifest = manifest;
    this.hostile = hostile;
    Object.assign(this.metadata, { namespace: manifest.metadata.namespace });
    requireUnique(this);
    refuseMisreadTexts(this);
  }

  override addJsonPatch(...operations: JsonPatch[]): void {
    super.addJsonPatch(...operations);
    this.patched = true;
  }

  override toJson(): Manifest {
    if (this.isAsWritten()) {
      const { apiVersion, kind, metadata: _, ...content } = this.manifest;
      return { apiVersion, kind, metadata: this.metadata.toJson(), ...(inOrder(content) as object) };
    }
    const json: Manifest = super.toJson();
    return this.hostile ? renamedKeys(json, (key) => (key.startsWith(mark) ? key.slice(mark.length) : key)) : json;
  }

  /** True if there is nothing to resolve or to patch. That search takes cdk8s most of its time. */
  private isAsWritten(): boolean {
    const { resolvers } = App.of(this);
    return !this.patched && !this.hostile && resolvers.every(isBuiltIn) && isJson(this.manifest);
  }
}

/** True for resolvers that do not change plain JSON. */
function isBuiltIn(resolver: unknown): boolean {
  return [LazyResolver, ImplicitTokenResolver, NumberStringUnionResolver].some((one) => resolver instanceof one);
}

function isJson(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && typeof value !== 'symbol';
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const key of Object.keys(value)) if (!isJson(value[key as keyof typeof value])) return false;
  return true;
}

/** The value as cdk8s writes it: with sorted keys, and without undefined and null. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => inOrder(item ?? undefined));
  if (typeof value !== 'object' || value === null) return value;
  const ordered: Record<string, unknown> = {};
  for (const key of sorted(Object.keys(value))) {
    const part = value[key as keyof typeof value] as unknown;
    if (part !== undefined && part !== null) ordered[key] = inOrder(part);
  }
  return ordered;
}

/**
 * Sorts in place. The built-in sort allocates lists even for few keys, which is a thirtieth of the allocations of a
 * create.
 */
function sorted(keys: string[]): readonly string[] {
  if (keys.length > 16) return keys.sort();
  for (let end = 1; end < keys.length; end++) {
    const key = keys[end] ?? '';
    let at = end;
    for (; at > 0; at--) {
      const before = keys[at - 1] ?? '';
      if (before < key) break;
      keys[at] = before;
    }
    keys[at] = key;
  }
  return keys;
}

/** A prefix that no key in Kubernetes can have. */
const mark = '\0';

const hostileKeys: ReadonlySet<string> = new Set(['constructor', '__proto__']);

/** Checked first, because few objects have such a key, and a copy of a map is expensive. */
function hasHostileKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasHostileKey);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const key of Object.keys(value)) {
    if (hostileKeys.has(key) || hasHostileKey(value[key as keyof typeof value])) return true;
  }
  return false;
}

/**
 * The value with the keys of its maps renamed at every depth, or the value itself if no key changes. Tokens stay as
 * they are.
 */
function renamedKeys<T>(value: T, rename: (key: string) => string): T {
  if (Array.isArray(value)) {
    const items = value.map((item) => renamedKeys(item, rename));
    return items.some((item, index) => item !== value[index]) ? (items as T) : value;
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const before = Object.entries(value);
  const after = before.map(([key, item]) => [rename(key), renamedKeys(item, rename)] as const);
  const changed = after.some(([key, item], index) => key !== before[index]?.[0] || item !== before[index]?.[1]);
  return changed ? (Object.fromEntries(after) as T) : value;
}
