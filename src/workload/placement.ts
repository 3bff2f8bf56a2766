import type { k8s } from 'cdk8s-plus-27';
import type { Plain } from '../plain.js';
import { present } from './present.js';

type Toleration = Plain<k8s.Toleration>;

/** The placement of Pods on nodes and their pull secrets, as in a spec. */
export interface Placement {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly Toleration[];
  readonly imagePullSecrets?: readonly { readonly name: string }[];
}

/** The placement in the form of a Pod spec. */
export function podPlacement({ nodeSelector, tolerations, imagePullSecrets }: Placement) {
  return {
    imagePullSecrets: present(imagePullSecrets),
    nodeSelector: present(nodeSelector),
    tolerations: present(tolerations?.map(toleration)),
  };
}

/** Removes an empty value, which the API server does not store. */
function toleration({ value, ...rest }: Toleration): Toleration {
  return value === '' || value === undefined ? rest : { ...rest, value };
}
