import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { CustomResourceDefinition } from '../../crds/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import { userRoles } from './user-roles.js';

/** Props of an {@link ApiInstall}. */
export interface ApiInstallProps {
  /** One CRD for each kind. `toCustomResourceDefinition` creates it from a kind of `cdk8s-reconstruct/crds`. */
  readonly crds: readonly CustomResourceDefinition[];
}

/** The API of some kinds: their CRDs, and the ClusterRoles for their users. All objects are cluster-scoped. */
export class ApiInstall extends Construct {
  readonly definitions: readonly ApiObject[];
  /** Two ClusterRoles for each kind, which Kubernetes aggregates into its own roles `view` and `edit`. */
  readonly userRoles: readonly ApiObject[];

  constructor(scope: Construct, id: string, { crds }: ApiInstallProps) {
    super(scope, id);
    this.definitions = crds.map((crd) => new KubeObject(this, crd.metadata.name, crd));
    this.userRoles = crds.flatMap(userRoles).map((role) => new KubeObject(this, role.metadata.name, role));
  }
}
