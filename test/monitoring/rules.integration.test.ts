import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { algorithmKind } from '../../imports/index.js';
import { conditions } from '../../operator/controllers/algorithm/trial/conditions.js';
import { metrics } from '../../operator/controllers/algorithm/trial/metrics.js';
import { defineController } from '../../operator/runtime/index.js';
import type { Manifest } from '../../operator/runtime/kubernetes/object.js';
import { Metrics } from '../../operator/telemetry/metrics.js';
import { type Listening, serve } from '../../operator/telemetry/server.js';
import { findPrometheus, type Prometheus, startPrometheus } from '../operator/engines/metrics/given-prometheus.js';
import { GivenOperator } from '../operator/runtime/given/operator.js';

const run = promisify(execFile);
const rules = 'docs/monitoring/rules.yaml';
const found = await findPrometheus();
if ('absent' in found) console.warn(`The alert rules are not tested: ${found.absent}`);

/** Reports for every Algorithm that its version was rolled back. */
const rollingBack = defineController({
  kind: algorithmKind,
  name: 'trial',
  owns: [],
  conditions,
  optionalConditions: ['Routed'],
  metrics,
  desire: () => {},
  assess: () => ({ conditions: { Promoted: { reason: 'RolledBack', message: 'The version failed' } } }),
});

describe.skipIf('absent' in found)('the alert rules', () => {
  const program = 'program' in found ? found.program : '';
  const promtool = join(dirname(program), 'promtool');

  test('are valid, and each fires for its own cause only', async () => {
    await run(promtool, ['check', 'rules', rules]);
    const folder = await mkdtemp(join(tmpdir(), 'rules-'));
    try {
      await copyFile(rules, join(folder, 'rules.yaml'));
      const tests = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.test.yaml'));
      for (const file of tests) await copyFile(join(import.meta.dirname, file), join(folder, file));
      const { stdout } = await run(promtool, ['test', 'rules', ...tests], { cwd: folder });
      expect(stdout).toContain('SUCCESS');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  describe('in a real Prometheus that scrapes an operator', () => {
    let given: GivenOperator;
    let listening: Listening;
    let prometheus: Prometheus;

    beforeAll(async () => {
      const metrics = new Metrics();
      given = await new GivenOperator({ controllers: [rollingBack] }).start();
      metrics.observe(given.operator);
      const contentType = metrics.registry.contentType;
      listening = await serve(0, { '/metrics': { contentType, body: () => metrics.registry.metrics() } });
      const algorithm = { apiVersion: 'ai.alien6.io/v1', kind: 'Algorithm', spec: { image: 'reco:1' } };
      await given.given(algorithmKind, { ...algorithm, metadata: { name: 'reco', namespace: 'team' } } as Manifest);
      const pods = [{ address: '127.0.0.1', name: 'operator', uid: 'operator' }];
      prometheus = await startPrometheus(program, {
        ...{ pods, port: listening.port, namespace: 'system' },
        rules: await readFile(rules, 'utf8'),
      });
    }, 300_000);
    afterAll(async () => {
      await prometheus?.stop();
      await listening?.close();
      await given?.close();
    });

    test('can all be evaluated, and one reports a version that was rolled back', async () => {
      while (!(await prometheus.firing()).some(({ alertname }) => alertname === 'TrialRolledBack')) await sleep(200);
      const health = (await prometheus.rules()).map(({ health }) => health);
      expect(health.length).toBeGreaterThan(5);
      expect(health.filter((one) => one === 'err')).toEqual([]);
    }, 300_000);
  });
});
