import type { SparkJobResource } from '../../../imports/index.js';
import { sparkSelector } from '../../../src/index.js';
import { readNodes } from '../../members/index.js';
import {
  ConfigMap,
  type Found,
  NetworkPolicy,
  Pod,
  type Refer,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
} from '../../runtime/index.js';

/** Kinds that a SparkJob owns. Executors belong to their driver. */
export const owns = [ServiceAccount, Role, RoleBinding, NetworkPolicy, Secret, ConfigMap, Pod] as const;

/** Objects that the controller reads but does not own. */
export const reads = (refer: Refer<SparkJobResource>) => ({
  nodes: readNodes(refer),
  /** Drivers and executors, also those of a SparkJob that had the name before. */
  pods: refer.matchingLabels(Pod, ({ metadata }) => ({ labels: sparkSelector(metadata.name) })),
});

/** The objects that `reads` finds. */
export type SparkReads = Found<ReturnType<typeof reads>>;
