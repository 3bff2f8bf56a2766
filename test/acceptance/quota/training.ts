import { expect, test } from 'vitest';
import type { UnderQuota } from '../given/quota-cluster.js';

export const underQuota: UnderQuota = ({ kubectl, limited, podsIn }) => {
  test('a TrainingJob of which the quota admits a part of the Pods has none, and says why it waits', async () => {
    await limited('quota-training', '1');
    const resources = { requests: { cpu: '600m' }, limits: { cpu: '600m' } };
    const job = { image: 'train:1', command: ['train'], workers: 2, recovery: 'Restart', resources };
    const common = { apiVersion: 'reconstruct.dev/v1alpha1', kind: 'TrainingJob', metadata: { name: 'digits' } };
    await kubectl(['apply', '-n', 'quota-training', '-f', '-'], [{ ...common, spec: job }]);
    const path = 'jsonpath={.status.conditions[?(@.type=="Scheduled")].reason}';
    await kubectl(['wait', '-n', 'quota-training', 'tj/digits', `--for=${path}=Queued`, '--timeout=120s']);
    const told = await kubectl([
      ...['get', '-n', 'quota-training', 'tj/digits', '-o'],
      'jsonpath={.status.conditions[?(@.type=="Scheduled")].message}',
    ]);
    expect(told).toMatch(
      /^The workers wait: ResourceQuota team does not allow what the job needs: .*cpu 1200m, with 1 of 1 left/,
    );
    expect(await podsIn('quota-training')).toEqual(['']);
  });
};
