import { ApiObject, App, ImplicitTokenResolver, type JsonPatch, LazyResolver, NumberStringUnionResolver } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Manifest } from './plain.js';

/**
 * An object of Kubernetes in the construct tree, from its manifest as plain JSON. It renders in a fraction of the time of
 * the generated classes, and differs from a bare `ApiObject` in two ways:
 * - It is in the namespace that its manifest says, or in none: a chart's namespace is not put on it, which would give
 *   one to cluster-scoped objects.
 * - Keys that users choose may be any: cdk8s refuses a map with the key `constructor` and loses the key `__proto__`.
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

  /** True where nothing is left to resolve or to patch: to look for it takes cdk8s most of the time. */
  private isAsWritten(): boolean {
    const { resolvers } = App.of(this);
    return !this.patched && !this.hostile && resolvers.every(isBuiltIn) && isJson(this.manifest);
  }
}

/** Resolvers that leave plain JSON alone. */
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

/** The value as cdk8s writes it: keys in order, and nothing that is undefined or null. */
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

/** In place. Most maps have few keys, for which the engine's own sort makes lists: a thirtieth of what a create allocates. */
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

/** No key that Kubernetes accepts begins with it. */
const mark = '\0';

const hostileKeys: ReadonlySet<string> = new Set(['constructor', '__proto__']);

/** Looked for first, because hardly any object has one, and to copy a map is dear. */
function hasHostileKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasHostileKey);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const key of Object.keys(value)) {
    if (hostileKeys.has(key) || hasHostileKey(value[key as keyof typeof value])) return true;
  }
  return false;
}

/** The value with its maps' keys renamed at every depth; itself if none is. Other than JSON (tokens) is left alone. */
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
