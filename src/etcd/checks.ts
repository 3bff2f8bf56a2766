import { etcdClusterSpec } from '../../crds/index.js';
import { valueProblems } from '../../crds/schema/value-problems.js';
import type { EtcdClusterSpec } from '../../imports/index.js';
import { wholeQuantity } from '../manifest/quantity.js';
import { nameProblem } from '../workload/name-problem.js';
import { requestProblems } from '../workload/resources.js';

const longestName = 40;
const leastSize = '1Gi';

/** The problems of a spec: fields that do not match the schema, and fields that contradict each other. */
export function etcdProblems(spec: EtcdClusterSpec): readonly string[] {
  const ofFields = valueProblems(etcdClusterSpec.json, spec).map((problem) => problem.replace(/^\./, ''));
  // The other checks need a spec that matches its schema.
  if (ofFields.length > 0) return ofFields;
  return [...sizeProblems(spec), ...requestProblems('resources', spec.resources)];
}

/** The problem of the name of an EtcdCluster, if it has one. It is also a CEL rule of the schema. */
export function etcdNameProblem(name: string): readonly string[] {
  return nameProblem(name, longestName);
}

/** A smaller volume leaves the data no room beside the log. It is also a CEL rule of the schema. */
function sizeProblems({ storage: { size } }: EtcdClusterSpec): readonly string[] {
  if (wholeQuantity(size) >= wholeQuantity(leastSize)) return [];
  return [
    `storage.size: Invalid value: ${JSON.stringify(size)}: must be at least ${leastSize}, because the log of etcd alone takes 448Mi; use ${leastSize} or more`,
  ];
}
