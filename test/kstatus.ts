import type { LiveObject } from '../operator/runtime/kubernetes/object.js';

/** What a tool that knows no kind makes of a resource. */
export type Kstatus = 'Terminating' | 'InProgress' | 'Failed' | 'Current';

interface Readable {
  readonly metadata: LiveObject['metadata'];
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/**
 * A resource as Flux, `cli-utils` and others who wait for a rollout read it.
 * @see https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/kstatus/README.md
 */
export function kstatusOf(resource: Readable): Kstatus {
  const { metadata, status: { observedGeneration, conditions = [] } = {} } = resource;
  const is = (type: string) => conditions.find((one) => one.type === type)?.status;
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (observedGeneration !== undefined && observedGeneration !== metadata.generation) return 'InProgress';
  if (is('Reconciling') === 'True') return 'InProgress';
  if (is('Stalled') === 'True') return 'Failed';
  return (is('Ready') ?? 'True') === 'True' ? 'Current' : 'InProgress';
}
