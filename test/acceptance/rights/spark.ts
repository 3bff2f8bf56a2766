import { because, rightsForResources, type UnusedRights } from '../given/unused-rights.js';

/** Rights for SparkJobs. */
export const unused = {
  ...because('what a SparkJob needs; nobody here has one', [
    ...rightsForResources(['sparkjobs.reconstruct.dev']),
    // The operator can give drivers only permissions that it has itself.
    'deletecollection pods',
  ]),
  'delete sparkjobs.reconstruct.dev': 'deletes a SparkJob after spec.ttlAfterFinished; nobody here has one',
} satisfies UnusedRights;
