import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { CustomResourceDefinition } from '../../crds/index.js';
import { type AddedMetadata, withMetadata } from '../manifest/added-metadata.js';
import { KubeObject } from '../manifest/kube-object.js';
import type { Manifest, ManifestMeta } from '../manifest/plain.js';
import { userRoles } from './user-roles.js';

/** Props of an {@link ApiInstall}. */
export interface ApiInstallProps extends AddedMetadata {
  /** One CRD for each kind. `toCustomResourceDefinition` creates it from a kind of `cdk8s-reconstruct/crds`. */
  readonly crds: readonly CustomResourceDefinition[];
  /** Name of the operator: the value of the label `reconstruct.dev/operator` of the CRDs. @default 'reconstruct' */
  readonly operator?: string;
}

/** Label of CRDs, by which `reconstruct status` finds the kinds of all operators that are built on this package. */
const operatorLabel = 'reconstruct.dev/operator';

/** The API of some kinds: their CRDs, and the ClusterRoles for their users. All objects are cluster-scoped. */
export class ApiInstall extends Construct {
  readonly definitions: readonly ApiObject[];
  /** Two ClusterRoles for each kind, which Kubernetes aggregates into its own roles `view` and `edit`. */
  readonly userRoles: readonly ApiObject[];

  constructor(scope: Construct, id: string, { crds, operator = 'reconstruct', ...added }: ApiInstallProps) {
    super(scope, id);
    const add = (manifest: Manifest) => new KubeObject(this, manifest.metadata.name, withMetadata(manifest, added));
    this.definitions = crds.map((crd) => add(labelled(crd, operator)));
    this.userRoles = crds.flatMap(userRoles).map(add);
  }
}

function labelled(crd: CustomResourceDefinition, operator: string): Manifest {
  const metadata: ManifestMeta = crd.metadata;
  return { ...crd, metadata: { ...metadata, labels: { ...metadata.labels, [operatorLabel]: operator } } };
}
