import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { CustomResourceDefinition } from '../../crds/index.js';
import { KubeObject } from '../kube-object.js';
import { userRoles } from './user-roles.js';

/** What makes the API of some kinds. */
export interface ApiInstallProps {
  /** One for each kind; `toCustomResourceDefinition` makes it from a kind of `cdk8s-reconstruct/crds`. */
  readonly crds: readonly CustomResourceDefinition[];
}

/** The API of some kinds: their definitions, and the roles with which people may use them. All are cluster-scoped. */
export class ApiInstall extends Construct {
  readonly definitions: readonly ApiObject[];
  /** A ClusterRole for `view` and one for `edit` of each kind, which Kubernetes adds to its own of these names. */
  readonly userRoles: readonly ApiObject[];

  constructor(scope: Construct, id: string, { crds }: ApiInstallProps) {
    super(scope, id);
    this.definitions = crds.map((crd) => new KubeObject(this, crd.metadata.name, crd));
    this.userRoles = crds.flatMap(userRoles).map((role) => new KubeObject(this, role.metadata.name, role));
  }
}
