import { because, rightsForResources, rightsOf, type UnusedRights } from '../given/unused-rights.js';

/** Rights for TrainingJobs. */
export const unused = {
  ...because('what a TrainingJob needs; nobody here has one', [
    // Quotas of its namespace, and where its volumes are.
    ...rightsOf(['list', 'get'], ['resourcequotas', 'persistentvolumes']),
    ...rightsForResources(['trainingjobs.reconstruct.dev']),
  ]),
  'get pods/log': 'follows the logs of a TrainingJob with spec.health.logRules; nobody here has one',
  'delete trainingjobs.reconstruct.dev': 'deletes a TrainingJob after spec.ttlAfterFinished; nobody here has one',
} satisfies UnusedRights;
