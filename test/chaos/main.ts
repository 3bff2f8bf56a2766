import { parseArgs } from 'node:util';
import { chaos } from './chaos.js';

const options = {
  minutes: { type: 'string', default: '10' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  resources: { type: 'string', default: '200' },
} as const;

/** A Ctrl-C takes everything down, a second one at once. */
function untilAskedToStop(): AbortSignal {
  const asked = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (asked.signal.aborted) process.exit(130);
      asked.abort(new Error('stopped'));
    });
  }
  return asked.signal;
}

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
    signal: untilAskedToStop(),
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
