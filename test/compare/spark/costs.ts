import { applied, kubectl } from '../../e2e/cluster/kubectl.js';

/** A ServiceAccount. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** The series of the API server with the requests that a FlowSchema matched. */
const dispatched = 'apiserver_flowcontrol_dispatched_requests_total';

/**
 * Counts the requests of a ServiceAccount at the API server, by a FlowSchema of its own. It has the priority that the account has
 * anyway. Requests for a Lease of leader election, logs and commands in containers are not in it.
 */
export class CountedRequests {
  private constructor(readonly name: string) {}

  static async of({ namespace, name }: Account): Promise<CountedRequests> {
    const schema = `compare-${name}`;
    await applied({
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      kind: 'FlowSchema',
      metadata: { name: schema },
      spec: {
        distinguisherMethod: { type: 'ByUser' },
        matchingPrecedence: 8_000, // before that of all ServiceAccounts, and after that of leader election
        priorityLevelConfiguration: { name: 'workload-low' },
        rules: [
          {
            subjects: [{ kind: 'ServiceAccount', serviceAccount: { namespace, name } }],
            resourceRules: [
              { apiGroups: ['*'], resources: ['*'], verbs: ['*'], namespaces: ['*'], clusterScope: true },
            ],
            nonResourceRules: [{ nonResourceURLs: ['*'], verbs: ['*'] }],
          },
        ],
      },
    });
    await kubectl(['wait', `flowschema/${schema}`, '--for=condition=Dangling=False', '--timeout=60s']);
    return new CountedRequests(schema);
  }

  /** Since the API server started. */
  async count(): Promise<number> {
    const text = await kubectl(['get', '--raw', '/metrics']);
    return sumOf(text, dispatched, { flow_schema: this.name });
  }

  async stop(): Promise<void> {
    await kubectl(['delete', 'flowschema', this.name, '--ignore-not-found']);
  }
}

/** What Pods have used. */
export interface PodUse {
  /** CPU seconds since they started, with those of processes that ended. */
  readonly cpu: number;
  /** Bytes of memory that they have now. */
  readonly memory: number;
}

/** The use of Pods, as the kubelets of their nodes know it: about ten seconds old. */
export async function useOf(
  pods: readonly {
    readonly metadata: { readonly name: string; readonly namespace?: string };
    readonly spec: { readonly nodeName?: string };
  }[],
): Promise<PodUse> {
  let [cpu, memory] = [0, 0];
  for (const { metadata, spec } of pods) {
    const text = await kubectl(['get', '--raw', `/api/v1/nodes/${spec.nodeName}/proxy/metrics/resource`]);
    const labels = { namespace: metadata.namespace ?? '', pod: metadata.name };
    cpu += sumOf(text, 'pod_cpu_usage_seconds_total', labels);
    memory += sumOf(text, 'pod_memory_working_set_bytes', labels);
  }
  return { cpu, memory };
}

/** The sum of the series of a metric with these labels, in the text format of Prometheus. */
export function sumOf(text: string, metric: string, labels: Readonly<Record<string, string>>): number {
  const wanted = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  let sum = 0;
  for (const line of text.split('\n')) {
    const [, ofLine = '', value] = line.startsWith(`${metric}{`) ? (/\{(.*)\} (\S+)/.exec(line) ?? []) : [];
    const found = ofLine.split(',');
    if (value !== undefined && wanted.every((label) => found.includes(label))) sum += Number(value);
  }
  return sum;
}
