import type { LiveObject, Mark } from '../../../runtime/index.js';
import { publishedLike } from './annotations.js';
import type { conditions } from './conditions.js';
import type { AnnotatedReads } from './declarations.js';

/** Reports whether the annotation names a publication. */
export function assess(
  resource: Pick<LiveObject, 'metadata'>,
  { like }: AnnotatedReads,
): { readonly conditions: { readonly PublishedLike: Mark<keyof (typeof conditions)['PublishedLike']> | undefined } } {
  const name = publishedLike(resource);
  if (name === undefined) return { conditions: { PublishedLike: undefined } };
  if (like) return { conditions: { PublishedLike: { reason: 'Found' } } };
  const message = `The namespace has no ServicePublication ${name}, which the annotation reconstruct.dev/publish-like names`;
  return { conditions: { PublishedLike: { reason: 'PublicationNotFound', message } } };
}
