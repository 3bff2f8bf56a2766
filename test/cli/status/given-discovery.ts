import { ApiError } from '../../../operator/runtime/kubernetes/errors.js';

const verbs = ['get', 'list', 'watch'];
const entry = (name: string, kind: string, more: object = {}) => ({ name, kind, namespaced: true, verbs, ...more });

/** What an API server with kinds of several projects answers to discovery, by path. */
export const discovery: Readonly<Record<string, object>> = {
  '/apis': {
    groups: [
      { versions: [{ groupVersion: 'apps/v1' }], preferredVersion: { groupVersion: 'apps/v1' } },
      { versions: [{ groupVersion: 'cert-manager.io/v1' }] },
      { versions: [{ groupVersion: 'metrics.k8s.io/v1' }] },
      {
        versions: [{ groupVersion: 'example.org/v1beta1' }, { groupVersion: 'example.org/v1' }],
        preferredVersion: { groupVersion: 'example.org/v1' },
      },
      { versions: [{ groupVersion: 'reconstruct.dev/v1alpha1' }] },
    ],
  },
  '/api/v1': { resources: [entry('pods', 'Pod', { shortNames: ['po'] }), entry('pods/log', 'Pod')] },
  '/apis/apps/v1': {
    resources: [entry('deployments', 'Deployment', { singularName: 'deployment', shortNames: ['deploy'] })],
  },
  '/apis/cert-manager.io/v1': {
    resources: [
      entry('certificates', 'Certificate', { shortNames: ['cert'] }),
      entry('challenges', 'Challenge', { verbs: ['create'] }),
    ],
  },
  '/apis/example.org/v1': { resources: [entry('widgets', 'Widget', { shortNames: ['wi'] })] },
  '/apis/example.org/v1beta1': { resources: [entry('widgets', 'Widget'), entry('gadgets', 'Gadget')] },
  '/apis/reconstruct.dev/v1alpha1': {
    resources: [
      entry('certificates', 'Certificate', { categories: ['reconstruct'] }),
      entry('clusterissuers', 'ClusterIssuer', { categories: ['reconstruct'], namespaced: false }),
    ],
  },
};

/** Answers discovery. The server of a group that is not listed is down. */
export async function get(path: string): Promise<unknown> {
  const found = discovery[path];
  if (found) return found;
  throw new ApiError(`GET ${path}: the server is currently unable to handle the request`, {
    code: 503,
    reason: 'ServiceUnavailable',
  });
}
