import { writeFile } from 'node:fs/promises';
import { stopSignal } from '../../operator/process/stop-signal.js';
import { flags } from './flags.js';
import { type SoakReport, soak } from './soak.js';

interface SoakFlags {
  readonly minutes: number;
  readonly resources: number;
  readonly editsPerSecond: number;
  readonly mayGrow: number;
  readonly nodeFlags?: string;
  readonly out?: string;
}

async function main(): Promise<void> {
  const { nodeFlags, out, ...values } = flags.parse().opts<SoakFlags>();
  const report = await soak({
    ...values,
    nodeFlags: nodeFlags?.split(' ').filter(Boolean),
    program: 'build/operator/main.js',
    say: (line) => console.log(`${new Date().toISOString()} ${line}`),
    signal: stopSignal('SIGINT', 'SIGTERM'),
  });
  const json = JSON.stringify(report, null, 2);
  console.log(json);
  if (out) await writeFile(out, `${json}\n`);
  console.log(inWords(report));
  if (report.broken.length > 0) process.exitCode = 1;
}

function inWords(report: SoakReport): string {
  const { edits, samples, afterMinutes, residentMiB, slopes, clearings, levels, newAnswers, broken } = report;
  return [
    `${edits} edits, ${samples} samples after minute ${afterMinutes}`,
    `resident memory: ${slopes.resident} KiB a minute, from ${residentMiB.least} to ${residentMiB.most} MiB`,
    `heap after each of ${clearings} clearings: ${slopes.left} KiB a minute, outside of it ${slopes.external}`,
    ...Object.entries(levels).map(([name, [first, last]]) => `${name}: ${first} at first, ${last} at last`),
    ...(newAnswers.length === 0 ? [] : [`answers that came for the first time: ${newAnswers.join(', ')}`]),
    ...(broken.length === 0 ? ['nothing grows'] : broken.map((line) => `WRONG: ${line}`)),
  ].join('\n');
}

main().catch((error: unknown) => {
  console.error(`soak: ${error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = 1;
});
