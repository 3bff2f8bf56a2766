import { etcdCluster, etcdClusterSpec, withDefaults } from '../../crds/index.js';
import * as generated from '../../imports/index.js';
import { checked, inSpec } from '../validation/checked-resource.js';
import { etcdNameProblem, etcdProblems } from './checks.js';

/** An etcd, whose members the operator creates. `cdk8s synth` refuses values that do not match its schema. */
export class KubeEtcdCluster extends checked(
  generated.KubeEtcdCluster,
  etcdCluster,
  (spec: generated.EtcdClusterSpecInput, name: string) => [
    ...etcdNameProblem(name).map((problem) => `metadata.${problem}`),
    ...inSpec(etcdProblems(withDefaults(etcdClusterSpec, spec))),
  ],
) {}
