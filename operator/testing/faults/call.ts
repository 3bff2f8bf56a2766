/** Verbs of the Kubernetes API, as in RBAC. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** A request to an API server. */
export interface Call {
  /** Undefined for paths that are not resources, such as `/readyz`. */
  readonly verb: Verb | undefined;
  /** Plural with subresource: `deployments`, `algorithms/status`. Empty for paths that are not resources. */
  readonly resource: string;
  /** Empty for all namespaces and for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty for a collection. */
  readonly name: string;
}

const collections: Readonly<Record<string, Verb>> = { GET: 'list', POST: 'create', DELETE: 'deletecollection' };
const objects: Readonly<Record<string, Verb>> = {
  ...{ GET: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' },
  POST: 'create', // of a subresource, such as `pods/eviction`
};

/** @param url path and query */
export function callOf(method: string, url: string): Call {
  const { pathname, searchParams } = new URL(url, 'https://localhost');
  const [root, ...rest] = pathname.split('/').slice(1).map(decodeURIComponent);
  const parts = root === 'api' ? rest.slice(1) : root === 'apis' ? rest.slice(2) : [];
  // `/api/v1/namespaces/a` is a namespace, `/api/v1/namespaces/a/pods` is a collection in it.
  const isWithin = parts[0] === 'namespaces' && parts.length > 2;
  const [resource, name = '', ...subresource] = isWithin ? parts.slice(2) : parts;
  if (resource === undefined) return { verb: undefined, resource: '', namespace: '', name: '' };
  const verb = name === '' ? collections[method] : objects[method];
  const isWatch = method === 'GET' && ['true', '1'].includes(searchParams.get('watch') ?? '');
  return {
    verb: isWatch ? 'watch' : verb,
    resource: [resource, ...subresource].join('/'),
    namespace: isWithin ? (parts[1] ?? '') : '',
    name,
  };
}
