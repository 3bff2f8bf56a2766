import type { Controller } from '../../runtime/index.js';
import { annotatedRoute, annotatedService } from './annotated/index.js';
import { servicePublication } from './service-publication/index.js';

/** Controllers of `ServicePublication` resources, and of annotated Services and HTTPRoutes. */
export const publicationControllers: readonly Controller[] = [servicePublication, annotatedService, annotatedRoute];
