import { stopSignal } from '../../operator/process/stop-signal.js';
import { distributionOf } from './distribution.js';
import { flags, type KilledKind } from './flags.js';
import { kills } from './kills.js';

async function main(): Promise<void> {
  const values = flags.parse().opts<{ readonly kills: number }>();
  const [kind] = flags.processedArgs as [KilledKind];
  if (!process.env['KUBECONFIG']) throw new Error('it needs a cluster of three zones: set KUBECONFIG');
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  const {
    pauses,
    table = [],
    ...counts
  } = await kills(kind, {
    ...values,
    say: (line) => console.log(`${String(seconds()).padStart(5)} s  ${line}`),
    signal: stopSignal('SIGINT', 'SIGTERM'),
  });
  for (const line of table) console.log(line);
  const what = kind === 'training' ? 'secondsToNextStep' : 'secondsWithoutWrites';
  console.log(JSON.stringify({ kills: pauses.length, ...counts, [what]: distributionOf(pauses) }, null, 2));
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
