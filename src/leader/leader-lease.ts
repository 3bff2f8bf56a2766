import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';
import type { Manifest } from '../manifest/plain.js';

/** Props of {@link LeaderLease}. */
export interface LeaderLeaseProps {
  /** The name of the LeaderElection. */
  readonly name: string;
  readonly namespace: string;
}

/**
 * The Lease of an election, without a leader. The operator writes its holder and its term, and the launcher of the leader
 * renews it.
 */
export class LeaderLease extends Construct {
  constructor(scope: Construct, id: string, { name, namespace }: LeaderLeaseProps) {
    super(scope, id);
    new KubeObject(this, 'lease', {
      ...{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
      metadata: { name, namespace, labels: leaderLabels(name) },
    } as Manifest);
  }
}

/** The labels of the objects of an election. */
export function leaderLabels(election: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/managed-by': 'reconstruct', 'reconstruct.dev/leader-election': election };
}
