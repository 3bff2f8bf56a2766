import { httpRouteKind } from '../../../../imports/index.js';
import { defineController, type ObjectKind, optional, Service } from '../../../runtime/index.js';
import type { LivePublishedService } from '../addresses/live-objects.js';
import { publishedLike } from './annotations.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { owns, reads } from './declarations.js';
import { desire } from './desire.js';

/** Publishes annotated Services. It does not write their status. */
export const annotatedService = defineController({
  kind: Service as ObjectKind<LivePublishedService & { readonly spec: object }>,
  name: 'service-publications',
  reportsTo: 'events',
  selects: (resource) => publishedLike(resource) !== undefined,
  owns,
  reads: (refer) => reads(refer),
  conditions,
  desire: (scope, { resource, reads: { like } }) => desire(scope, resource, { kind: 'Service', like }),
  assess: ({ resource, reads: found }) => assess(resource, found),
});

/** Publishes annotated HTTPRoutes. It does not write their status. */
export const annotatedRoute = defineController({
  kind: optional(httpRouteKind),
  name: 'httproute-publications',
  reportsTo: 'events',
  selects: (resource) => publishedLike(resource) !== undefined,
  owns,
  reads: (refer) => reads(refer),
  conditions,
  desire: (scope, { resource, reads: { like } }) => desire(scope, resource, { kind: 'HTTPRoute', like }),
  assess: ({ resource, reads: found }) => assess(resource, found),
});
