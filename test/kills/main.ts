import { stopSignal } from '../../operator/process/stop-signal.js';
import { distributionOf } from './distribution.js';
import { flags } from './flags.js';
import { killedSystems } from './killed-systems.js';
import { kills } from './kills.js';

async function main(): Promise<void> {
  const values = flags.parse().opts<{ readonly kills: number; readonly part?: string }>();
  const system = killedSystems.get(flags.processedArgs[0]);
  if (!system) throw new Error(`no Pods of ${flags.processedArgs[0]} can be killed`);
  if (values.part !== undefined && !system.parts?.includes(values.part))
    throw new Error(`${flags.processedArgs[0]} has no part ${values.part}`);
  if (!process.env['KUBECONFIG']) throw new Error('it needs a cluster of three zones: set KUBECONFIG');
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  const {
    pauses,
    table = [],
    ...counts
  } = await kills(system, {
    ...values,
    say: (line) => console.log(`${String(seconds()).padStart(5)} s  ${line}`),
    signal: stopSignal('SIGINT', 'SIGTERM'),
  });
  for (const line of table) console.log(line);
  // Deletions of Pods have no pauses: they only count.
  const measured = pauses.length > 0 && { [system.pauses]: distributionOf(pauses) };
  console.log(JSON.stringify({ kills: pauses.length, ...counts, ...measured }, null, 2));
  const { lost, overlaps = [] } = counts;
  if (lost.length === 0 && overlaps.length === 0) return;
  console.error(
    overlaps.length > 0 ? 'two instances took writes at the same time' : 'what was acknowledged is not there',
  );
  process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(`kills: ${error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = 1;
});
