import { randomBytes } from 'node:crypto';
import { kubectl } from '../e2e/cluster/kubectl.js';
import { type Measured, measured, tableOf } from './comparison.js';
import { comparisons } from './comparisons.js';
import { flags } from './flags.js';

async function main(): Promise<void> {
  const [system = ''] = flags.parse().processedArgs as readonly string[];
  const { only, row = '' } = flags.opts<{ readonly only?: string; readonly row?: string }>();
  const comparison = comparisons.get(system);
  if (!comparison) throw new Error(`${system} is compared with nothing`);
  if (!process.env['KUBECONFIG']) throw new Error('it needs a cluster: set KUBECONFIG');
  const began = performance.now();
  const say = (line: string) => {
    const seconds = String(Math.round((performance.now() - began) / 1000));
    console.log(`${seconds.padStart(5)} s  ${line}`);
  };
  const namespace = `compare-${randomBytes(3).toString('hex')}`;
  await kubectl(['create', 'namespace', namespace]);
  try {
    const columns: Measured[] = [];
    const use: Parameters<typeof comparison.run>[1] = async (contestant, figures) => {
      const wanted = figures.filter(({ what }) => what.includes(row));
      columns.push(await measured(contestant, wanted, say));
    };
    await comparison.run(namespace, use, (contestant) => only === undefined || contestant === only);
    for (const line of tableOf(columns)) console.log(line);
  } finally {
    await kubectl(['delete', 'namespace', namespace, '--wait=false']);
  }
}

main().catch((error: unknown) => {
  console.error(`compare: ${error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = 1;
});
