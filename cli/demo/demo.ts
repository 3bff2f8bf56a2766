import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { stopSignal } from '../../operator/process/stop-signal.js';
import { ownPackage } from '../own-package.js';
import { type DemoApi, type DemoCluster, demoApi, demoCluster } from './demo-cluster.js';
import { applyAll, manifestFiles, manifestsOf } from './manifests.js';
import { operatorAccess, operatorAccount } from './operator-access.js';
import { OperatorProcess } from './operator-process.js';
import { perform } from './perform.js';
import { Screen } from './screen.js';

interface DemoOptions {
  readonly kubeconfig?: string;
  readonly once: boolean;
}

/** `reconstruct demo`: a custom resource becomes objects on a real API server, while one looks on. */
export function demoCommand(): Command {
  return new Command('demo')
    .description('start a control plane and the operator, apply a resource and show what becomes of it')
    .option('--kubeconfig <file>', 'play on the cluster of this kubeconfig instead of an own control plane')
    .option('--once', 'end as soon as every object is there', false)
    .action((options: DemoOptions) => demo(options, new Screen(process.stdout)));
}

/**
 * Plays until it is asked to stop. What was started is gone then; what was applied to a cluster that was there before
 * stays.
 */
async function demo({ kubeconfig, once }: DemoOptions, screen: Screen): Promise<void> {
  const installation = join(ownPackage().root, 'dist');
  const resourceFile = join(installation, 'examples', 'resource.k8s.yaml');

  if (kubeconfig === undefined) screen.say('starting a control plane: etcd, API server, controller manager');
  await using place = await demoCluster(kubeconfig && resolve(kubeconfig), (line) => screen.say(line));
  // From here on there is something to end in order; what runs until now ends with this process.
  const asked = stopSignal('SIGINT', 'SIGTERM', 'SIGHUP');
  await using api = await demoApi(place.kubeconfig);
  screen.say(`installing dist/ on ${api.transport.connection.origin}`);
  for (const file of await manifestFiles(installation)) {
    await applyAll(api.cluster, await manifestsOf(file), operatorAccount.namespace);
  }
  await using operator = await startOperator(place, api, screen);
  await perform({ place, api, operator, resourceFile, once, screen, asked });
  if (!place.own) screen.say(`what was applied stays: kubectl delete -f ${resourceFile} -f ${installation}`);
}

async function startOperator(place: DemoCluster, api: DemoApi, screen: Screen): Promise<OperatorProcess> {
  const access = await operatorAccess(api.transport);
  const { namespace, name } = operatorAccount;
  if ('kubeconfig' in access)
    screen.say(`starting the operator with the rights of service account ${namespace}/${name}`);
  else screen.say(`starting the operator with the rights of ${place.kubeconfig}: ${access.unavailable}`);
  // On a cluster that others use too, the operator of dist/ may run as well: one of them works.
  const args = place.own ? [] : ['--leader-elect', `--lease-namespace=${namespace}`];
  return OperatorProcess.start({
    kubeconfig: 'kubeconfig' in access ? { text: access.kubeconfig } : { path: place.kubeconfig },
    args,
  });
}
