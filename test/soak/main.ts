import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { untilAskedToStop } from '../../operator/asked-to-stop.js';
import { type SoakReport, soak } from './soak.js';

const options = {
  minutes: { type: 'string', default: '60' },
  resources: { type: 'string', default: '2000' },
  'edits-per-second': { type: 'string', default: '1' },
  /** KiB a minute. */
  'may-grow': { type: 'string', default: '100' },
  /** Instead of those of the image, separated by spaces. */
  'node-flags': { type: 'string' },
  /** A file for the report. */
  out: { type: 'string' },
} as const;

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  const report = await soak({
    minutes: Number(values.minutes),
    resources: Number(values.resources),
    editsPerSecond: Number(values['edits-per-second']),
    mayGrow: Number(values['may-grow']),
    nodeFlags: values['node-flags']?.split(' ').filter(Boolean),
    program: 'build/operator/main.js',
    say: (line) => console.log(`${new Date().toISOString()} ${line}`),
    signal: untilAskedToStop('SIGINT', 'SIGTERM'),
  });
  const json = JSON.stringify(report, null, 2);
  console.log(json);
  if (values.out) await writeFile(values.out, `${json}\n`);
  console.log(inWords(report));
  if (report.broken.length > 0) process.exitCode = 1;
}

function inWords({ edits, samples, afterMinutes, residentMiB, slopes, levels, broken }: SoakReport): string {
  return [
    `${edits} edits, ${samples} samples after minute ${afterMinutes}`,
    `resident memory: ${slopes.resident} KiB a minute, from ${residentMiB.least} to ${residentMiB.most} MiB`,
    `heap: ${slopes.heapUsed} KiB a minute, outside of it ${slopes.external}`,
    ...Object.entries(levels).map(([name, [first, last]]) => `${name}: ${first} at first, ${last} at last`),
    ...(broken.length === 0 ? ['nothing grows'] : broken.map((line) => `GROWS: ${line}`)),
  ].join('\n');
}

main().catch((error: unknown) => {
  console.error(`soak: ${error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = 1;
});
