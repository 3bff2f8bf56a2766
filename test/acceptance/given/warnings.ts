import type { LiveObject } from '../../../operator/index.js';
import { Event } from '../../../operator/runtime/kubernetes/kinds.js';
import type { Site } from './site.js';

interface LiveEvent extends LiveObject {
  readonly type: string;
  readonly reason: string;
  readonly note: string;
  readonly regarding: { readonly kind: string; readonly name: string };
}

/** What an Algorithm's events warn of, as `reason: note`. */
export async function warnings(site: Site, name: string): Promise<readonly string[]> {
  const { items } = await site.cluster.list(Event, { namespace: site.namespace });
  return (items as readonly LiveEvent[])
    .filter(({ type, regarding }) => type === 'Warning' && regarding.kind === 'Algorithm' && regarding.name === name)
    .map(({ reason, note }) => `${reason}: ${note}`);
}
