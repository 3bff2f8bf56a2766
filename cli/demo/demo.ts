import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { stopSignal } from '../../operator/process/stop-signal.js';
import { ownPackage } from '../files/own-package.js';
import { Screen } from '../output/screen.js';
import { type DemoApi, type DemoCluster, demoApi, demoCluster } from './demo-cluster.js';
import { applyAll, manifestFiles, manifestsOf } from './manifests.js';
import { operatorAccess, operatorAccount } from './operator-access.js';
import { OperatorProcess } from './operator-process.js';
import { perform } from './perform.js';

interface DemoOptions {
  readonly kubeconfig?: string;
  readonly once: boolean;
}

/** `reconstruct demo`: shows how the operator turns a custom resource into objects on a real API server. */
export function demoCommand(): Command {
  return new Command('demo')
    .description('start a control plane and the operator, apply a resource and show its objects')
    .option('--kubeconfig <file>', 'use the cluster of this kubeconfig instead of starting a control plane')
    .option(
      '--once',
      'exit after the changes that the demo makes, or on an existing cluster when every object exists',
      false,
    )
    .action((options: DemoOptions) => demo(options, new Screen(process.stdout)));
}

/**
 * Runs until a signal stops it. It then stops all processes that it started. Objects that it applied to an existing
 * cluster stay.
 */
async function demo({ kubeconfig, once }: DemoOptions, screen: Screen): Promise<void> {
  const installation = join(ownPackage().root, 'dist');
  const resourceFile = join(installation, 'examples', 'resource.k8s.yaml');

  if (kubeconfig === undefined)
    screen.say('starting a control plane (etcd, API server, controller manager, scheduler) with 3 simulated nodes');
  await using place = await demoCluster(kubeconfig && resolve(kubeconfig), (line) => screen.say(line));
  // From here on, a signal must stop the demo in order. Earlier processes end with this process.
  const asked = stopSignal('SIGINT', 'SIGTERM', 'SIGHUP');
  await using api = await demoApi(place.kubeconfig);
  screen.say(`installing dist/ on ${api.transport.connection.origin}`);
  for (const file of await manifestFiles(installation)) {
    await applyAll(api.cluster, await manifestsOf(file), operatorAccount.namespace);
  }
  await using operator = await startOperator(place, api, screen);
  await perform({ place, api, operator, resourceFile, once, screen, asked });
  if (!place.own)
    screen.say(`the applied objects stay; to delete them: kubectl delete -f ${resourceFile} -f ${installation}`);
}

async function startOperator(place: DemoCluster, api: DemoApi, screen: Screen): Promise<OperatorProcess> {
  const access = await operatorAccess(api.transport);
  const { namespace, name } = operatorAccount;
  if ('kubeconfig' in access)
    screen.say(`starting the operator with the permissions of service account ${namespace}/${name}`);
  else screen.say(`starting the operator with the permissions of ${place.kubeconfig}: ${access.unavailable}`);
  // On an existing cluster the operator of dist/ may run too. The lease makes only one of them active.
  const args = place.own ? [] : ['--leader-elect', `--lease-namespace=${namespace}`];
  return OperatorProcess.start({
    kubeconfig: 'kubeconfig' in access ? { text: access.kubeconfig } : { path: place.kubeconfig },
    args,
  });
}
