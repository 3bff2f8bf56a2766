import { quoted, type ShellAccess, shellAccess } from '../cluster/shell-access.js';

/** The input for the suggested commands. */
export interface AdviceProps extends ShellAccess {
  /** Whether the demo started the cluster, whose nodes are then simulated. */
  readonly ownCluster: boolean;
  readonly resource: { readonly name: string; readonly namespace: string };
  /** File with the resource that the demo applied. */
  readonly resourceFile: string;
  readonly operator: { readonly pid: number; readonly log: string; readonly metrics: string };
}

/** Commands to try in another terminal while the demo runs. Each works unchanged. */
export function adviceFor(props: AdviceProps): readonly string[] {
  const { ownCluster, operator } = props;
  return [
    '',
    ...(ownCluster ? ['the nodes of this cluster are simulated: Pods become ready, but no container runs', ''] : []),
    ...shellAccess(props),
    ...toTry(props).flatMap(({ why, command }) => [`  ${why}`, `    ${command}`]),
    `the operator writes its log to ${operator.log} and serves metrics at ${operator.metrics}`,
    'press Ctrl-C to stop everything',
  ];
}

interface Trial {
  /** The purpose and the effect. */
  readonly why: string;
  /** Without a trailing comment, because not every interactive shell supports comments. */
  readonly command: string;
}

function toTry({ resource: { name, namespace }, resourceFile, operator }: AdviceProps): readonly Trial[] {
  const on = namespace === 'default' ? 'kubectl' : `kubectl --namespace ${namespace}`;
  const edit = JSON.stringify({ spec: { scaling: { maxReplicas: 5 } } });
  return [
    { why: 'list the resources', command: `${on} get algo` },
    {
      why: 'edit the resource: one field of the autoscaler changes',
      command: `${on} patch algo ${name} --type=merge -p '${edit}'`,
    },
    { why: 'delete an object: the operator recreates it', command: `${on} delete service ${name}` },
    {
      why: 'scale the Deployment: the operator keeps it, because the autoscaler owns the number of replicas',
      command: `${on} scale deployment ${name} --replicas=4`,
    },
    { why: 'add a label: the operator keeps it', command: `${on} label configmap ${name} mine=yes` },
    { why: 'kill the operator: the demo restarts it, and it has nothing to do', command: `kill -9 ${operator.pid}` },
    {
      why: 'delete the resource: the garbage collector deletes its objects, on a new cluster after half a minute',
      command: `${on} delete algo ${name}`,
    },
    { why: 'apply it again', command: `${on} apply --server-side -f ${quoted(resourceFile)}` },
  ];
}
