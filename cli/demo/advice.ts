/** What the lines to try depend on. */
export interface AdviceProps {
  readonly kubeconfig: string;
  /** Whether the demo started the cluster, which has no nodes then. */
  readonly ownCluster: boolean;
  /** A kubectl to use instead of the user's: the program and its first arguments. @default - the user's own */
  readonly kubectl?: readonly string[] | undefined;
  readonly resource: { readonly name: string; readonly namespace: string };
  /** File with the resource as the demo applied it. */
  readonly resourceFile: string;
  readonly operator: { readonly pid: number; readonly log: string; readonly metrics: string };
}

/** What to try while the demo runs: lines for another terminal, each of which works as it stands. */
export function adviceFor(props: AdviceProps): readonly string[] {
  const { kubeconfig, ownCluster, kubectl, operator } = props;
  return [
    '',
    ...(ownCluster
      ? ['this cluster has no nodes: the pods stay pending, so the resource is not ready and its phase is Pending', '']
      : []),
    'in another terminal:',
    `    export KUBECONFIG=${quoted(kubeconfig)}`,
    ...(kubectl ? [`    alias kubectl=${quoted(kubectl.map(quoted).join(' '))}`] : []),
    ...toTry(props).flatMap(({ why, command }) => [`  ${why}`, `    ${command}`]),
    `the operator logs to ${operator.log} and has metrics at ${operator.metrics}`,
    'Ctrl-C ends everything',
  ];
}

interface Trial {
  /** What it is for, and what comes of it. */
  readonly why: string;
  /** Without a comment behind it: not every interactive shell knows comments. */
  readonly command: string;
}

function toTry({ resource: { name, namespace }, resourceFile, operator }: AdviceProps): readonly Trial[] {
  const on = namespace === 'default' ? 'kubectl' : `kubectl --namespace ${namespace}`;
  const edit = JSON.stringify({ spec: { scaling: { maxReplicas: 5 } } });
  return [
    { why: 'look', command: `${on} get algo` },
    { why: 'edit: one field of the autoscaler follows', command: `${on} patch algo ${name} --type=merge -p '${edit}'` },
    { why: 'delete an object: it comes back', command: `${on} delete service ${name}` },
    { why: 'scale: it stays, the number is the autoscaler’s', command: `${on} scale deployment ${name} --replicas=4` },
    { why: 'add a label: it stays, it is yours', command: `${on} label configmap ${name} mine=yes` },
    { why: 'kill the operator: it is started again and finds nothing to do', command: `kill -9 ${operator.pid}` },
    {
      why: 'delete the resource: the garbage collector takes its objects, on a new cluster after half a minute',
      command: `${on} delete algo ${name}`,
    },
    { why: 'apply it again', command: `${on} apply --server-side -f ${quoted(resourceFile)}` },
  ];
}

/** A word as a shell reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
