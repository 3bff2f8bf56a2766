import {
  type ServicePublicationResource,
  type ServicePublicationSpec,
  servicePublicationKind,
} from '../../../../imports/index.js';
import type { Found, LiveObject, Refer } from '../../../runtime/index.js';
import { publishedLike } from './annotations.js';

/** The publications of annotated objects. */
export const owns = [servicePublicationKind] as const;

/** The publication that an annotation names. */
export const reads = <R extends LiveObject>(refer: Refer<R>) => ({
  like: refer.named(
    servicePublicationKind,
    (object) => publishedLike(object as unknown as LiveObject),
    ({ spec }: ServicePublicationResource): ServicePublicationSpec => spec,
  ),
});

/** The objects that `reads` finds. */
export type AnnotatedReads = Found<ReturnType<typeof reads>>;
