import { type PodShutdown, podShutdown } from '../../controllers/publication/ports/pod-shutdown.js';
import { Pod } from '../../runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../runtime/kubernetes/object.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';

interface LiveContainer {
  readonly name: string;
  readonly ports?: readonly { readonly containerPort: number }[];
  readonly lifecycle?: {
    readonly preStop?: {
      readonly sleep?: { readonly seconds: number };
      readonly exec?: { readonly command?: readonly string[] };
    };
  };
}

interface LivePod extends LiveObject {
  readonly spec?: { readonly terminationGracePeriodSeconds?: number; readonly containers?: readonly LiveContainer[] };
}

/** The default of Kubernetes, in seconds. */
const defaultGrace = 30;

/** Reads each Pod from the API server. */
export function podShutdownFrom(cluster: Pick<Cluster, 'read'>): Provided {
  return provided(podShutdown, async ({ namespace, pods }, { signal }) => {
    const found = await Promise.all(pods.map((name) => cluster.read(Pod, { namespace, name }, { signal })));
    return { pods: pods.map((name, index) => shutdownOf(name, found[index] as LivePod | undefined)) };
  });
}

function shutdownOf(name: string, pod: LivePod | undefined): PodShutdown {
  if (!pod) return { name, isMissing: true, gracePeriodSeconds: 0, containers: [] };
  const { terminationGracePeriodSeconds: gracePeriodSeconds = defaultGrace, containers = [] } = pod.spec ?? {};
  const shutdowns = containers.map((container) => {
    const sleep = sleepOf(container);
    const ports = (container.ports ?? []).map(({ containerPort }) => containerPort);
    return { name: container.name, ports, ...(sleep !== undefined && { sleep }) };
  });
  return { name, isMissing: false, gracePeriodSeconds, containers: shutdowns };
}

/** Seconds. Undefined for a hook whose time is not known. */
function sleepOf({ lifecycle }: LiveContainer): number | undefined {
  const { preStop } = lifecycle ?? {};
  if (!preStop) return 0;
  if (preStop.sleep) return preStop.sleep.seconds;
  const command = preStop.exec?.command?.join(' ') ?? '';
  const [, seconds] = /(?:^|[\s/;])sleep\s+(\d+)s?(?=$|[\s;])/.exec(command) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}
