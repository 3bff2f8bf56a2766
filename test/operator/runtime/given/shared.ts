import type { Construct } from 'constructs';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { shared } from '../../../../operator/runtime/controller/owned-kinds.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { KubeObject } from '../../../../src/index.js';
import type { Widget } from './widgets.js';

/** What a Widget wants of the ConfigMap that all of a namespace have together; nothing without a size. */
export interface Together {
  readonly size?: string;
  /** A further key of it. */
  readonly more?: string;
}

/** What makes a controller of Widgets one whose Widgets share a ConfigMap. */
export const sharing: Partial<Pick<Controller, 'owns' | 'conditions' | 'assess' | 'desire'>> = {
  owns: [shared(ConfigMap)],
  conditions: {},
  assess: ({ owned }) => ({ conditions: {}, status: { size: owned.all().length } as object }),
  desire: (scope: Construct, { resource }) => {
    const { metadata, spec } = resource as Widget & { spec: Together };
    const { size, more } = spec;
    if (size === undefined) return;
    const manifest = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'common', ...(metadata.namespace && { namespace: metadata.namespace }) },
      data: { size, ...(more && { [more]: 'x' }) },
    };
    new KubeObject(scope, 'common', manifest);
  },
};
