import { allKinds } from '../../crds/index.js';
import type { Manifest } from '../../operator/index.js';

/** Resources, and edits of them. */
export interface RenderedCase {
  readonly name: string;
  /** As users write them. */
  readonly objects: readonly Manifest[];
  /** Whole objects, one edit after the other, by a title. @default - none */
  readonly edits?: Readonly<Record<string, readonly Manifest[]>>;
}

/** A resource of this package as users write it, in the namespace `shop`. */
export function resource(
  kind: string,
  name: string,
  spec: object,
  metadata: { readonly labels?: Record<string, string>; readonly annotations?: Record<string, string> } = {},
): Manifest {
  const definition = allKinds.find((one) => one.kind === kind);
  if (!definition) throw new Error(`${kind} must be a kind of crds/index.ts`);
  const { group, scope, versions } = definition;
  const apiVersion = `${group}/${versions.find(({ storage }) => storage)?.name}`;
  return {
    apiVersion,
    kind,
    metadata: { name, ...(scope === 'Namespaced' && { namespace: 'shop' }), ...metadata },
    spec,
  } as Manifest;
}

/** A Secret with these texts. */
export function secret(name: string, texts: Readonly<Record<string, string>>): Manifest {
  const entries = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  const metadata = { name, namespace: 'shop' };
  return { apiVersion: 'v1', kind: 'Secret', metadata, data: Object.fromEntries(entries) } as Manifest;
}
