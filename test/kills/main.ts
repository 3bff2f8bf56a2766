import { stopSignal } from '../../operator/process/stop-signal.js';
import { distributionOf } from './distribution.js';
import { flags } from './flags.js';
import { kills } from './kills.js';

async function main(): Promise<void> {
  const values = flags.parse().opts<{ readonly kills: number }>();
  if (!process.env['KUBECONFIG']) throw new Error('it needs a cluster of three zones: set KUBECONFIG');
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  const { pauses, ...counts } = await kills({
    ...values,
    say: (line) => console.log(`${String(seconds()).padStart(5)} s  ${line}`),
    signal: stopSignal('SIGINT', 'SIGTERM'),
  });
  console.log(
    JSON.stringify({ kills: pauses.length, ...counts, secondsWithoutWrites: distributionOf(pauses) }, null, 2),
  );
  if (counts.lost.length === 0 && counts.overlaps.length === 0) return;
  console.error('an acknowledged row was lost, or two instances took writes');
  process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(`kills: ${error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = 1;
});
