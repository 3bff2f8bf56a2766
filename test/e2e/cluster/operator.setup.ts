import { listed } from './api.js';
import { install } from './install.js';
import { underKills } from './kill-mode.js';
import { Killer } from './killer.js';
import { Node } from './kinds.js';
import { complaints, killLeader, operatorPods, renew, untilRolledOut } from './operator-pods.js';
import { zoneProblem } from './zones.js';

/** Installs the operator in the cluster, and returns what looks after it when the tests are over. */
export async function setup(): Promise<() => Promise<void>> {
  if (!process.env['KUBECONFIG']) throw new Error('the e2e tests need a cluster of three zones: set KUBECONFIG');
  const problem = zoneProblem(await listed(Node));
  if (problem) throw new Error(problem);

  await install();
  await renew();
  await untilRolledOut();
  const killer = underKills ? new Killer({ kill: killLeader, between: [10_000, 40_000] }) : undefined;
  return async () => {
    await killer?.stop();
    if (killer) console.log(`the operator was killed ${killer.kills} times`);
    await noCrash();
    const complained = await complaints();
    if (complained.length > 0) console.log(`the operator complained:\n${complained.slice(-20).join('\n')}`);
  };
}

/**
 * The pods of those that were killed are gone.
 * @throws {Error} when a process of the operator has ended by itself
 */
async function noCrash(): Promise<void> {
  const crashed = (await operatorPods()).filter(({ status }) =>
    status?.containerStatuses?.some(({ restartCount }) => restartCount > 0),
  );
  if (crashed.length > 0)
    throw new Error(`operators ended by themselves: ${crashed.map(({ metadata }) => metadata.name)}`);
}
