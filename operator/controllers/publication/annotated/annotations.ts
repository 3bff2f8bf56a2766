import type { LiveObject } from '../../../runtime/index.js';

const likeAnnotation = 'reconstruct.dev/publish-like';
const asAnnotation = 'reconstruct.dev/publish-as';

/** The publication whose targets an object has. Undefined without the annotation. */
export function publishedLike({ metadata }: Pick<LiveObject, 'metadata'>): string | undefined {
  return metadata.annotations?.[likeAnnotation] || undefined;
}

/** The name under which an object is published. @default - its own */
export function publishedAs({ metadata }: Pick<LiveObject, 'metadata'>): string {
  return metadata.annotations?.[asAnnotation] || metadata.name;
}
