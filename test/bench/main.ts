import { readFile, writeFile } from 'node:fs/promises';
import { stopSignal } from '../../operator/process/stop-signal.js';
import { type CertificatesReport, measureCertificates } from './certificates.js';
import { flags } from './flags.js';

interface BenchFlags {
  readonly certificates: number;
  readonly minutes: number;
  readonly nodeFlags?: string;
  readonly out?: string;
}

async function main(): Promise<void> {
  const { nodeFlags, out, ...values } = flags.parse().opts<BenchFlags>();
  const report = await measureCertificates({
    ...values,
    nodeFlags: nodeFlags?.split(' ').filter(Boolean) ?? (await imageFlags()),
    program: 'build/operator/main.js',
    say: (line) => console.log(`${new Date().toISOString()} ${line}`),
    signal: stopSignal('SIGINT', 'SIGTERM'),
  });
  const json = JSON.stringify(report, null, 2);
  console.log(json);
  if (out) await writeFile(out, `${json}\n`);
  if (totalOf(report) > 0) {
    console.log('WRONG: Certificates at rest cost requests');
    process.exitCode = 1;
  }
}

function totalOf({ requestsAtRest }: CertificatesReport): number {
  return Object.values(requestsAtRest).reduce((sum, count) => sum + count, 0);
}

/** The flags of Node in the image's entry point. */
async function imageFlags(): Promise<readonly string[]> {
  const [, entry = '[]'] = /^ENTRYPOINT (\[.*\])$/m.exec(await readFile('Dockerfile', 'utf8')) ?? [];
  return (JSON.parse(entry) as readonly string[]).filter((part) => part.startsWith('--'));
}

main().catch((error: unknown) => {
  console.error(`bench: ${error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = 1;
});
