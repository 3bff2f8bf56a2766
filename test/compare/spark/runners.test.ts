import { expect, test } from 'vitest';
import type { LiveObject } from '../../../operator/index.js';
import { reconstruct } from './reconstruct.js';
import { sparkOperator } from './spark-operator/runner.js';

const runners = [sparkOperator('jobs'), reconstruct('jobs')];

const withStatus = (status: object) => ({ metadata: { name: 'pi' }, status }) as unknown as LiveObject;

test.each([
  { status: { applicationState: { state: 'COMPLETED' } }, is: 'Succeeded' },
  { status: { applicationState: { state: 'FAILED' } }, is: 'Failed' },
  { status: { applicationState: { state: 'SUBMISSION_FAILED' } }, is: undefined },
  { status: { applicationState: { state: 'RUNNING' } }, is: undefined },
  { status: {}, is: undefined },
])('a SparkApplication with $status has ended as $is', ({ status, is }) => {
  expect(sparkOperator('jobs').outcomeOf(withStatus(status))).toBe(is);
});

test.each([
  { status: { state: 'Succeeded' }, is: 'Succeeded' },
  { status: { state: 'Failed' }, is: 'Failed' },
  { status: { state: 'WaitingForRetry' }, is: undefined },
  { status: {}, is: undefined },
])('a SparkJob with $status has ended as $is', ({ status, is }) => {
  expect(reconstruct('jobs').outcomeOf(withStatus(status))).toBe(is);
});

test('what a status says is one line, with the first line of an error', () => {
  const applicationState = { state: 'FAILING', errorMessage: 'driver container failed\nat java' };
  const told = sparkOperator('jobs').told(withStatus({ applicationState, executionAttempts: 1 }));
  expect(told).toBe('FAILING, 1 executions, 0 submissions, "driver container failed"');
  const ended = [{ message: 'exit code 137' }];
  const conditions = [{ type: 'Running', reason: 'DriverUnknown' }];
  expect(reconstruct('jobs').told(withStatus({ state: 'Running', attempt: 2, ended, conditions }))).toBe(
    'Running (DriverUnknown), attempt 2, "exit code 137"',
  );
});

test('both get drivers and executors of the same size, the same program and the same image', () => {
  const [application, job] = runners.map(
    (runner) => (runner.job('pi', 4) as unknown as { readonly spec: object }).spec,
  );
  const size = { cores: 1, coreRequest: '100m', coreLimit: '1', memory: '512m', memoryOverhead: '384m' };
  expect(application).toMatchObject({ driver: size, executor: { ...size, instances: 1 }, arguments: ['4'] });
  const limits = { cpu: '1', memory: '896Mi' };
  const same = { resources: { requests: { cpu: '100m' }, limits }, memoryOverhead: '384Mi' };
  expect(job).toMatchObject({ driver: same, executors: { ...same, replicas: 1, cores: 1 }, args: ['4'] });
  const { image, mainApplicationFile } = application as {
    readonly image: string;
    readonly mainApplicationFile: string;
  };
  expect(job).toMatchObject({ image, main: mainApplicationFile });
});

test('a Pod is a driver or an executor of a job by its labels alone', () => {
  const labels: readonly Readonly<Record<string, string>>[] = [
    { 'sparkoperator.k8s.io/app-name': 'pi', 'spark-role': 'driver' },
    { 'reconstruct.dev/spark-job': 'pi', 'reconstruct.dev/spark-role': 'driver' },
  ];
  for (const [index, { placeOf }] of runners.entries()) {
    expect(placeOf(labels[index] ?? {})).toEqual({ job: 'pi', role: 'driver' });
    expect(placeOf({ 'app.kubernetes.io/name': 'spark-operator' })).toBe(undefined);
  }
});
