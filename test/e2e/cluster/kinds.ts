import type { LiveObject, ObjectKind } from '../../../operator/index.js';

/** The parts of a live Pod that the tests read. */
export interface LivePod extends LiveObject {
  readonly spec: { readonly nodeName?: string; readonly containers: readonly { readonly image: string }[] };
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly lastTransitionTime: string;
    }[];
    readonly containerStatuses?: readonly { readonly restartCount: number }[];
  };
}

/** The parts of a live Node that the tests read. */
export interface LiveNode extends LiveObject {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  };
}

/** The parts of a live EndpointSlice that the tests read. */
export interface LiveEndpointSlice extends LiveObject {
  readonly ports?: readonly { readonly port?: number }[] | null;
  readonly endpoints?: readonly {
    readonly addresses: readonly string[];
    readonly nodeName?: string;
    readonly conditions?: { readonly ready?: boolean };
  }[];
}

export const EndpointSlice: ObjectKind<LiveEndpointSlice, 'EndpointSlice'> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
};

export const Pod: ObjectKind<LivePod, 'Pod'> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  namespaced: true,
};

export const Node: ObjectKind<LiveNode, 'Node'> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  namespaced: false,
};

/** Whether a pod takes requests. */
export function isReady({ metadata, status }: LivePod): boolean {
  const ready = status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  return ready && metadata.deletionTimestamp === undefined;
}
