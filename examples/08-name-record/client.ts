import { CallError, type Provided, provided } from 'cdk8s-reconstruct/operator';
import { names } from './controller.js';

/** Connects the port to the service at an address. @param token sent with each request */
export function nameService(address: string, token?: string): Provided {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const of = (name: string) => new URL(`/records/${encodeURIComponent(name)}`, address);
  return provided(
    names,
    async ({ name }, { signal }) => {
      const response = await fetch(of(name), { headers, signal });
      if (response.status === 404) return {};
      if (!response.ok) throw new Error(`the name service answered ${response.status}`);
      return (await response.json()) as { readonly address: string };
    },
    {
      perform: async ({ name, address }, { signal }) => {
        const change =
          address === undefined ? { method: 'DELETE' } : { method: 'PUT', body: JSON.stringify({ address }) };
        const response = await fetch(of(name), { ...change, headers, signal });
        if (response.ok) return;
        const { error } = (await response.json()) as { readonly error: string };
        throw CallError.fromStatus(response.status, error, response.headers.get('Retry-After'));
      },
    },
  );
}
