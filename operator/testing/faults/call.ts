/** Verbs of the Kubernetes API, as RBAC knows them. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** What a request asks of an API server. */
export interface Call {
  /** Undefined for what is not about resources, such as `/readyz`. */
  readonly verb: Verb | undefined;
  /** Plural, with the subresource: `deployments`, `algorithms/status`. Empty for what is not about resources. */
  readonly resource: string;
  /** Empty for all, and for what has none. */
  readonly namespace: string;
  /** Empty for a collection. */
  readonly name: string;
}

const collections: Readonly<Record<string, Verb>> = { GET: 'list', POST: 'create', DELETE: 'deletecollection' };
const objects: Readonly<Record<string, Verb>> = {
  ...{ GET: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' },
  POST: 'create', // of a subresource, as `pods/eviction`
};

/** @param url path and query */
export function callOf(method: string, url: string): Call {
  const { pathname, searchParams } = new URL(url, 'https://localhost');
  const [root, ...rest] = pathname.split('/').slice(1).map(decodeURIComponent);
  const parts = root === 'api' ? rest.slice(1) : root === 'apis' ? rest.slice(2) : [];
  // `/api/v1/namespaces/a` is about a namespace, `/api/v1/namespaces/a/pods` about what is in it.
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
