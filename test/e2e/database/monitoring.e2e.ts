import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../chaos/wait.js';
import { findPrometheus, type Prometheus, startPrometheus } from '../../operator/engines/metrics/given-prometheus.js';
import { figure } from '../algorithm/figure.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { operatorTargets } from '../monitoring/targets.js';
import { small, TriedDatabase } from './given/tried-database.js';

const namespace = givenNamespace('observed');
const found = await findPrometheus();
const note = 'absent' in found ? ` (left out: ${found.absent})` : '';

describe.skipIf('absent' in found)(`a Prometheus that scrapes the operator${note}`, () => {
  const orders = new TriedDatabase(namespace, 'orders', {
    ...{ ...small, replicas: 1, synchronous: { mode: 'None' } },
    backup: { schedule: '0 3 1 1 *', verify: 'Daily', target: { volume: { size: '1Gi' } } },
  });
  let prometheus: Prometheus;

  beforeAll(async () => {
    await orders.begin();
    prometheus = await startPrometheus('program' in found ? found.program : '', {
      ...(await operatorTargets()),
      rules: await readFile('docs/monitoring/rules.yaml', 'utf8'),
    });
  });
  afterAll(() => prometheus?.stop());

  test('line 13: it knows of a Database how it is, how far, and how old its backups are; its rules can be evaluated', async () => {
    const began = Date.now() / 1000;
    const is = {
      reconstruct_database_has_primary: 1,
      reconstruct_database_instances_ready: 1,
      reconstruct_database_instances_desired: 1,
      reconstruct_database_timeline: 1,
    };
    for (const [metric, value] of Object.entries(is)) await untilIs(metric, (told) => told === value);
    for (const what of ['last_backup', 'last_verified'])
      await untilIs(`reconstruct_database_${what}_timestamp_seconds`, (told) => Math.abs(told - began) < 600);
    const all = await prometheus.rules();
    figure(13, `${all.length} rules are evaluated`);
    expect(all.filter(({ health }) => health === 'err')).toEqual([]);
    expect(all.map(({ name }) => name)).toContain('DatabaseDown');
  });

  async function untilIs(metric: string, isSo: (value: number) => boolean): Promise<void> {
    let told: number | undefined;
    const isTold = async () => {
      told = await prometheus.value(`max(${metric}{namespace="${namespace}",name="orders"})`);
      return told !== undefined && isSo(told);
    };
    await until(isTold, { what: `Prometheus knows ${metric}`, within: 120_000, every: 500 }).catch((error: Error) => {
      throw new Error(`${error.message}; it knows ${told}`);
    });
  }
});
