import { alignedRows } from '../../cli/output/aligned-rows.js';
import { flags } from './flags.js';
import { isKept, type Outcome } from './inventory.js';
import { type UpgradeProps, upgrade } from './upgrade.js';

const header = ['KIND', 'PODS', 'KEPT', 'RESTARTED', 'REPLACED', 'RECREATED'];

function row({ kind, before, kept, restarted, replaced, changed }: Outcome): readonly string[] {
  const named = (names: readonly string[]) => (names.length === 0 ? '0' : `${names.length}: ${names.join(', ')}`);
  return [kind, String(before), String(kept), named(restarted), named(replaced), named(changed)];
}

async function main(): Promise<void> {
  const props = flags.parse().opts<Omit<UpgradeProps, 'say'>>();
  if (!process.env['KUBECONFIG']) throw new Error('it needs a cluster of three zones: set KUBECONFIG');
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  const say = (line: string) => console.log(`${String(seconds()).padStart(5)} s  ${line}`);
  const outcomes = await upgrade({ ...props, say });
  for (const line of alignedRows([header, ...outcomes.map(row)])) console.log(line);
  if (outcomes.every(isKept)) return;
  console.error('the upgrade has cost a running resource a Pod, or recreated its objects');
  process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(`upgrade: ${error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = 1;
});
