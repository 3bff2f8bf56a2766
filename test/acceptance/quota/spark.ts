import { expect, test } from 'vitest';
import type { UnderQuota } from '../given/quota-cluster.js';

export const underQuota: UnderQuota = ({ kubectl, limited, podsIn }) => {
  const job = (name: string, spec: object) => [
    {
      ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'SparkJob', metadata: { name } },
      spec: { main: 'local:///app/clean.py', ...spec },
    },
  ];
  const ended = 'jsonpath={.status.ended[*].reason} {.status.ended[*].budget} {.status.retriesUsed}';

  test('a SparkJob whose driver a quota refuses counts each attempt once, and ends with the reason', async () => {
    await limited('quota-spark', '500m');
    const retry = { budgets: { submission: 1 }, backoff: { initial: '1s' } };
    await kubectl(['apply', '-n', 'quota-spark', '-f', '-'], job('clean', { retry }));
    await kubectl(['wait', '-n', 'quota-spark', 'sj/clean', '--for=jsonpath={.status.state}=Failed', '--timeout=120s']);
    expect(await kubectl(['get', '-n', 'quota-spark', 'sj/clean', '-o', ended])).toBe(
      'QuotaExceeded QuotaExceeded submission submission 1',
    );
    const path = 'jsonpath={.status.conditions[?(@.type=="Running")].message}';
    expect(await kubectl(['get', '-n', 'quota-spark', 'sj/clean', '-o', path])).toMatch(
      /^Attempt 2 failed: QuotaExceeded: .*exceeded quota: .* The only retry of the budget submission is used$/,
    );
    expect(await podsIn('quota-spark')).toEqual(['']);
  });

  test('a SparkJob has room for its driver with the limits of its schema', async () => {
    await limited('quota-spark-room', '2');
    await kubectl(['apply', '-n', 'quota-spark-room', '-f', '-'], job('clean', {}));
    const isThere = '--for=jsonpath={.status.driver.pod}=clean-1-1-driver';
    await kubectl(['wait', '-n', 'quota-spark-room', 'sj/clean', isThere, '--timeout=120s']);
    expect(await podsIn('quota-spark-room')).toEqual(['clean-1-1-driver']);
  });
};
