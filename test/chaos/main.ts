import { stopSignal } from '../../operator/process/stop-signal.js';
import { chaos } from './chaos.js';
import { flags } from './flags.js';

interface ChaosFlags {
  readonly minutes: number;
  readonly seed: number;
  readonly resources: number;
}

async function main(): Promise<void> {
  const values = flags.parse().opts<ChaosFlags>();
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  const { seed, counts, broken } = await chaos({
    ...values,
    program: 'build/operator/main.js',
    say: (line) => console.log(`${String(seconds()).padStart(4)} s  ${line}`),
    signal: stopSignal('SIGINT', 'SIGTERM'),
  });
  console.log(JSON.stringify({ seed, ...counts }, null, 2));
  if (broken.length === 0) return console.log(`seed ${seed}: every invariant held`);
  console.error(broken.map((line) => `  ${line}`).join('\n'));
  console.error(`seed ${seed}: ${broken.length} things that must never be`);
  process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(`chaos: ${error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = 1;
});
