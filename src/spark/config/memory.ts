import { defaultSparkDriverResources, defaultSparkExecutorResources } from '../../../crds/index.js';
import type { SparkJobSpec } from '../../../imports/index.js';
import { wholeQuantity } from '../../manifest/quantity.js';
import { containerResources } from '../../workload/resources.js';
import type { SparkRole } from '../naming/identity.js';

const mebi = 1024n * 1024n;

/** Spark refuses less than 450 MiB, one and a half times its own reserve, and a JVM offers less than its heap has. */
const leastHeap = 480n;
/** Threads, classes and network buffers of a JVM. */
const leastOverhead = 256n;

/** How a memory limit is divided. In MiB. */
export interface SparkMemory {
  readonly heap: bigint;
  readonly overhead: bigint;
}

/** Limits that differ from the spec, such as after a growth. */
export type MemoryLimits = Readonly<Partial<Record<SparkRole, string>>>;

const fields = { driver: 'driver', executor: 'executors' } as const;
const defaults = { driver: defaultSparkDriverResources, executor: defaultSparkExecutorResources } as const;

/**
 * The requests and limits of a container.
 * @param memory the memory limit, if it is not that of the spec. A request that was the limit stays so
 */
export function sparkResources(spec: SparkJobSpec, role: SparkRole, memory?: string) {
  const stated = containerResources(spec[fields[role]].resources, defaults[role]);
  const { requests, limits } = stated;
  const isLimit = role === 'executor' || requests.memory === limits.memory;
  const grown = memory ?? limits.memory;
  return {
    requests: { cpu: requests.cpu, memory: isLimit ? grown : requests.memory },
    limits: { cpu: limits.cpu, memory: grown },
  };
}

/** The heap of the JVM and what is outside of it. Their sum is the memory limit in whole MiB. */
export function sparkMemory(spec: SparkJobSpec, role: SparkRole, memory?: string): SparkMemory {
  const limit = wholeQuantity(sparkResources(spec, role, memory).limits.memory) / mebi;
  const stated = spec[fields[role]].memoryOverhead;
  const part = spec.main.endsWith('.py') ? (limit * 2n) / 5n : limit / 10n;
  const before = wholeQuantity(sparkResources(spec, role).limits.memory) / mebi;
  // What is outside of the heap has grown too, and exceeded the limit as likely.
  const own = stated === undefined ? 0n : ((wholeQuantity(stated) / mebi) * limit) / before;
  const overhead = stated === undefined ? largest(part, leastOverhead) : own;
  return { heap: limit - overhead, overhead };
}

/** Limits that leave too little for the heap. */
export function memoryProblems(spec: SparkJobSpec): readonly string[] {
  return (['driver', 'executor'] as const).flatMap((role) => {
    const { heap, overhead } = sparkMemory(spec, role);
    if (heap >= leastHeap) return [];
    const { memory } = sparkResources(spec, role).limits;
    const needed = leastHeap + overhead;
    return [
      `${fields[role]}.resources.limits.memory: Invalid value: ${JSON.stringify(memory)}: must be at least ${needed}Mi, which leaves ${leastHeap}Mi of heap beside ${overhead}Mi of overhead; raise the limit or lower ${fields[role]}.memoryOverhead`,
    ];
  });
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
