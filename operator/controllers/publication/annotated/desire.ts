import type { Construct } from 'constructs';
import { AnnotatedPublication } from '../../../../src/index.js';
import { keep, type LiveObject } from '../../../runtime/index.js';
import { publishedAs, publishedLike } from './annotations.js';
import type { AnnotatedReads } from './declarations.js';

/** Renders the publication of an annotated object. It stays while the publication that the annotation names does not exist. */
export function desire(
  scope: Construct,
  { metadata }: Pick<LiveObject, 'metadata'>,
  { kind, like }: { readonly kind: 'Service' | 'HTTPRoute' } & AnnotatedReads,
): void {
  const { namespace = '', name, deletionTimestamp } = metadata;
  if (publishedLike({ metadata }) === undefined || deletionTimestamp !== undefined) return;
  if (!like) {
    keep(scope, undefined, 'the publication of its annotation does not exist');
    return;
  }
  new AnnotatedPublication(scope, 'publication', {
    source: { kind, namespace, name },
    name: publishedAs({ metadata }),
    like,
  });
}
