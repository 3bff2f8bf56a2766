import type { Manifest } from './plain.js';

/** Labels and annotations that a user adds to objects. */
export interface AddedMetadata {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** The object with more labels and annotations. Its own stay as they are. */
export function withMetadata<M extends Manifest>(manifest: M, { labels, annotations }: AddedMetadata): M {
  const { metadata } = manifest;
  const added = {
    ...(labels && { labels: { ...labels, ...metadata.labels } }),
    ...(annotations && { annotations: { ...annotations, ...metadata.annotations } }),
  };
  return { ...manifest, metadata: { ...metadata, ...added } };
}
