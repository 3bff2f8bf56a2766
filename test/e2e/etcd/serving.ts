import { readFile } from 'node:fs/promises';
import { etcdCluster as definition, toCustomResourceDefinition } from '../../../crds/index.js';
import { etcdCluster } from '../../../operator/controllers/etcd/index.js';
import { account } from '../../acceptance/given/installation.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import { untilRolledOut } from '../cluster/operator-pods.js';

const name = 'reconstruct-e2e-etcd';
const ofOperator = ['--namespace', account.namespace];

/**
 * Has the installed operator serve EtcdClusters too, which are not among its controllers: another first module beside the
 * compiled ones in its image, their definition, and permissions.
 * @returns what undoes it
 */
export async function serveEtcdClusters(): Promise<() => Promise<void>> {
  const main = await readFile('operator/main.ts', 'utf8');
  const program = main.replace(
    "import { controllers } from './controllers/index.js';",
    "import { etcdCluster } from './controllers/etcd/index.js';\nimport { controllers as others } from './controllers/index.js';\nconst controllers = [...others, etcdCluster];",
  );
  if (program === main) throw new Error('operator/main.ts imports its controllers in another way');
  const subjects = [{ kind: 'ServiceAccount', ...account }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name } };
  await applied(
    toCustomResourceDefinition(definition),
    { ...rbac, kind: 'ClusterRole', rules: etcdCluster.rbacRules },
    { ...rbac, kind: 'ClusterRoleBinding', roleRef, subjects },
    {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: account.namespace } },
      data: { 'main.js': program },
    },
  );
  await kubectl(['wait', '--for=condition=Established', 'crd/etcdclusters.reconstruct.dev', '--timeout=30s']);
  const { spec } = JSON.parse(await kubectl([...ofOperator, 'get', `deployment/${account.name}`, '--output=json']));
  await patch(withProgram(spec.template.spec));
  await untilRolledOut();
  return async () => {
    await patch(spec.template.spec);
    await untilRolledOut();
    const left = ['crd/etcdclusters.reconstruct.dev', `clusterrole/${name}`, `clusterrolebinding/${name}`];
    await kubectl(['delete', ...left, '--ignore-not-found', '--timeout=60s']);
    await kubectl([...ofOperator, 'delete', `configmap/${name}`, '--ignore-not-found']);
  };
}

interface PodSpec {
  readonly containers: readonly { readonly args?: readonly string[]; readonly volumeMounts?: readonly object[] }[];
  readonly volumes?: readonly object[];
}

function withProgram({ containers: [container, ...others], volumes = [], ...pod }: PodSpec): PodSpec {
  const mount = { name: 'main', mountPath: '/app/build/operator/main.js', subPath: 'main.js' };
  const volumeMounts = [...(container?.volumeMounts ?? []), mount];
  const isList = (arg: string) => arg.startsWith('--controllers=');
  const args = container?.args?.map((arg) => (isList(arg) ? `${arg},${etcdCluster.name}` : arg));
  return {
    ...pod,
    containers: [{ ...container, args, volumeMounts }, ...others],
    volumes: [...volumes, { name: 'main', configMap: { name } }],
  };
}

/** A replacement, because a merge would keep the volume. */
async function patch(podSpec: object): Promise<void> {
  const operations = [{ op: 'replace', path: '/spec/template/spec', value: podSpec }];
  await kubectl([
    ...ofOperator,
    'patch',
    `deployment/${account.name}`,
    '--type=json',
    '-p',
    JSON.stringify(operations),
  ]);
}
