import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../chaos/wait.js';
import { findPrometheus, startPrometheus } from '../../operator/engines/metrics/given-prometheus.js';
import { figure } from '../algorithm/figure.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { operatorPods } from '../cluster/operator-pods.js';
import { small, TriedDatabase } from './given/tried-database.js';

const namespace = givenNamespace('observed');
const rules = 'docs/monitoring/rules.yaml';
const found = await findPrometheus();
const note = 'absent' in found ? ` (left out: ${found.absent})` : '';

describe.skipIf('absent' in found)(`a Prometheus that scrapes the operator${note}`, () => {
  const orders = new TriedDatabase(namespace, 'orders', {
    ...{ ...small, replicas: 1, synchronous: { mode: 'None' } },
    backup: { schedule: '0 3 1 1 *', verify: 'Daily', target: { volume: { size: '1Gi' } } },
  });
  let prometheus: Awaited<ReturnType<typeof startPrometheus>>;

  beforeAll(async () => {
    await orders.begin();
    const live = await operatorPods();
    const pods = live.map(({ metadata: { name, uid }, status }) => ({ name, uid, address: status?.podIP ?? '' }));
    const port = Number(live[0]?.metadata.annotations?.['prometheus.io/port']);
    prometheus = await startPrometheus('program' in found ? found.program : '', {
      pods,
      port,
      namespace: 'system',
      rules,
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
    const { groups } = (await asked('rules')) as { groups: { rules: { name: string; health: string }[] }[] };
    const all = groups.flatMap((group) => group.rules);
    figure(13, `${all.length} rules are evaluated`);
    expect(all.filter(({ health }) => health === 'err')).toEqual([]);
    expect(all.map(({ name }) => name)).toContain('DatabaseDown');
  });

  async function untilIs(metric: string, isSo: (value: number) => boolean): Promise<void> {
    let told: number | undefined;
    const query = encodeURIComponent(`max(${metric}{namespace="${namespace}",name="orders"})`);
    const isTold = async () => {
      const answer = (await asked(`query?query=${query}`)) as { result?: { value: [number, string] }[] };
      const value = answer.result?.[0]?.value[1];
      told = value === undefined ? undefined : Number(value);
      return told !== undefined && isSo(told);
    };
    await until(isTold, { what: `Prometheus knows ${metric}`, within: 120_000, every: 500 }).catch((error: Error) => {
      throw new Error(`${error.message}; it knows ${told}`);
    });
  }

  async function asked(what: string): Promise<unknown> {
    const answer = await fetch(new URL(`/api/v1/${what}`, prometheus.url)).catch(() => undefined);
    return answer === undefined ? {} : ((await answer.json()) as { data: unknown }).data;
  }
});
