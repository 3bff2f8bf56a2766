import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../chaos/wait.js';
import { type Inventory, inventoryOf, type Outcome, outcomeOf } from './inventory.js';
import { reconcilesOf, untilLeading } from './leading-operator.js';
import { install, type Release, releaseOf, releaseOfCheckout } from './release.js';
import { upgradedKinds } from './upgraded-kinds.js';
import { UpgradedResources } from './upgraded-resources.js';

/** Seconds for a machine of two cores that does other things. */
const patience = 900;

/** What is upgraded, and how long it is watched. */
export interface UpgradeProps {
  /** The revision of the first operator. */
  readonly from: string;
  /** Names of kinds. */
  readonly kinds: readonly string[];
  readonly minutes: number;
  readonly keep: boolean;
  readonly say: (line: string) => void;
}

/**
 * Upgrades the operator while resources of the kinds run. It uses the cluster of KUBECONFIG, and leaves the operator of the
 * checkout there. @returns the outcome for each kind
 */
export async function upgrade(props: UpgradeProps): Promise<readonly Outcome[]> {
  const { from, kinds, keep, say } = props;
  const folder = mkdtempSync(join(tmpdir(), 'reconstruct-upgrade-'));
  const id = randomBytes(3).toString('hex');
  const all = [...upgradedKinds]
    .filter(([name]) => kinds.includes(name))
    .map(([name, kind]) => new UpgradedResources(name, kind, `upgrade-${id}-${name}`));
  try {
    const [earlier, later] = [releaseOf(from, folder), releaseOfCheckout(folder)];
    await begin(all, earlier, say);
    const before = await Promise.all(all.map(({ namespace }) => inventoryOf(namespace)));
    await change(all, later, props);
    const after = await Promise.all(all.map(({ namespace }) => inventoryOf(namespace)));
    return all.map(({ name }, index) => outcomeOf(name, at(before, index), at(after, index)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
    if (!keep) for (const one of all) await one.delete().catch(console.error);
  }
}

/** Installs the earlier operator, and waits until all resources are ready. */
async function begin(all: readonly UpgradedResources[], earlier: Release, say: UpgradeProps['say']): Promise<void> {
  await install(earlier);
  say(`${await untilLeading(earlier)} of ${earlier.image} leads`);
  for (const one of all) await one.create();
  await Promise.all(
    all.map(async (one) => {
      await one.untilReady(patience);
      say(`${one.name} is ready in namespace ${one.namespace}`);
    }),
  );
}

/** Installs the later operator, lets it reconcile everything, and waits. */
async function change(
  all: readonly UpgradedResources[],
  later: Release,
  { minutes, say }: Pick<UpgradeProps, 'minutes' | 'say'>,
): Promise<void> {
  await install(later);
  const pod = await untilLeading(later);
  say(`${pod} of ${later.image} leads`);
  const { ended: earlier } = await reconcilesOf(pod);
  for (const one of all) await one.touch(new Date().toISOString());
  let missing: readonly string[] = [];
  const names = all.flatMap(({ kind }) => kind.controllers);
  const haveReconciled = async () => {
    const { ended } = await reconcilesOf(pod);
    missing = names.filter((name) => (ended[name] ?? 0) <= (earlier[name] ?? 0));
    return missing.length === 0;
  };
  const instead = () => `no reconcile of ${missing.join(', ')}`;
  await until(haveReconciled, { what: 'every kind is reconciled', within: 180_000, every: 1_000, instead });
  await Promise.all(all.map((one) => one.untilReady(patience)));
  say(`every resource is reconciled and ready; watching for ${minutes} minutes`);
  await pause(minutes * 60_000);
  const { ended, failed } = await reconcilesOf(pod);
  for (const name of names) say(`${name}: ${ended[name] ?? 0} reconciles, ${failed[name] ?? 0} failed`);
}

function at(inventories: readonly Inventory[], index: number): Inventory {
  return inventories[index] ?? { pods: [], objects: {} };
}
