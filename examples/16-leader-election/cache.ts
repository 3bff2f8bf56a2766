import { ApiObject } from 'cdk8s';
import { KubeLeaderElection, LeaderCandidate } from 'cdk8s-reconstruct';
import { Construct } from 'constructs';

export interface CacheProps {
  readonly image: string;
  readonly replicas: number;
}

/** A Redis of several Pods without Sentinel. One of them leads, and the Service `ID-leader` leads to it alone. */
export class Cache extends Construct {
  constructor(scope: Construct, id: string, { image, replicas }: CacheProps) {
    super(scope, id);
    const labels = { app: id };

    new KubeLeaderElection(this, 'election', {
      metadata: { name: id },
      spec: {
        selector: labels,
        service: `${id}-leader`,
        replicaService: `${id}-replicas`,
        application: { redis: {} },
        // A write that WAIT has confirmed survives the loss of the leader.
        safety: { minReplicas: 1 },
      },
    });

    const candidate = new LeaderCandidate(this, 'candidate', { election: id });
    new ApiObject(this, 'servers', {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: id },
      spec: {
        replicas,
        serviceName: id,
        // The next Pod is replaced when this one has its copy of the data.
        minReadySeconds: 10,
        selector: { matchLabels: labels },
        template: candidate.podTemplate({
          metadata: { labels },
          spec: { containers: [{ name: 'redis', image, command: ['redis-server'] }] },
        }),
      },
    });
  }
}
