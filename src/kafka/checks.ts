import { kafkaClusterSpec } from '../../crds/index.js';
import { valueProblems } from '../../crds/schema/value-problems.js';
import type { KafkaClusterSpec } from '../../imports/index.js';
import { wholeQuantity } from '../manifest/quantity.js';
import { nameProblem } from '../workload/name-problem.js';
import { requestProblems } from '../workload/resources.js';
import { brokersIn } from './config/properties.js';
import { unknownProperties } from './config/property-names.js';

const longestName = 32;

/** The problems of a spec: fields that do not match the schema, and fields that contradict each other. */
export function kafkaProblems(spec: KafkaClusterSpec): readonly string[] {
  const ofFields = valueProblems(kafkaClusterSpec.json, spec).map((problem) => problem.replace(/^\./, ''));
  // The other checks need a spec that matches its schema.
  if (ofFields.length > 0) return ofFields;
  return [
    ...requestProblems('controllers.resources', spec.controllers.resources),
    ...requestProblems('brokers.resources', spec.brokers.resources),
    ...spec.pools.flatMap(({ name, resources }) => requestProblems(`pools[${name}].resources`, resources)),
    ...(['preRestart', 'postRestart'] as const).flatMap((hook) =>
      requestProblems(`hooks.${hook}.job.resources`, spec.hooks?.[hook]?.job?.resources),
    ),
    ...heapProblems(spec),
    ...replicationProblems(spec),
    ...unknownProperties(spec),
  ];
}

/** The problem of the name of a KafkaCluster, if it has one. It is also a CEL rule of the schema. */
export function kafkaNameProblem(name: string): readonly string[] {
  return nameProblem(name, longestName);
}

/** A heap that leaves no memory for threads and buffers ends in an out-of-memory kill. */
function heapProblems({ jvm, brokers, pools }: KafkaClusterSpec): readonly string[] {
  const { heap } = jvm;
  if (heap === undefined) return [];
  return [brokers, ...pools].flatMap(({ resources }) => {
    const limit = resources.limits?.memory;
    if (limit === undefined || wholeQuantity(heap) * 10n <= wholeQuantity(limit) * 8n) return [];
    return [
      `spec.jvm.heap: Invalid value: ${JSON.stringify(heap)}: must be at most 80 % of limits.memory, ${limit}; lower spec.jvm.heap or raise limits.memory`,
    ];
  });
}

/** Kafka creates no topic with more replicas than brokers, and refuses records that too few replicas can confirm. */
const NUMBERS_OF_BROKERS = ['default.replication.factor', 'min.insync.replicas'] as const;

function replicationProblems(spec: KafkaClusterSpec): readonly string[] {
  const brokers = brokersIn(spec);
  return NUMBERS_OF_BROKERS.filter((name) => Number(spec.config[name] ?? '1') > brokers).map(
    (name) =>
      `spec.config[${name}]: Invalid value: ${JSON.stringify(spec.config[name])}: must be at most the number of brokers, ${brokers}; lower ${name} or raise spec.brokers.replicas`,
  );
}
