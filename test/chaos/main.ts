import { parseArgs } from 'node:util';
import { untilAskedToStop } from '../../operator/asked-to-stop.js';
import { chaos } from './chaos.js';

const options = {
  minutes: { type: 'string', default: '10' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  resources: { type: 'string', default: '200' },
} as const;

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  const { seed, counts, broken } = await chaos({
    minutes: Number(values.minutes),
    seed: Number(values.seed),
    resources: Number(values.resources),
    program: 'build/operator/main.js',
    say: (line) => console.log(`${String(seconds()).padStart(4)} s  ${line}`),
    signal: untilAskedToStop('SIGINT', 'SIGTERM'),
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
