import { expect, test } from 'vitest';
import { provisionOf } from '../../../../operator/controllers/kafka/cluster/findings.js';
import { answer, member, situation, six } from './given-kafka.js';

const provision = (voters: readonly number[]) =>
  provisionOf({
    resource: { spec: { listeners: [] } } as never,
    situation: situation(six(), { cluster: answer({ quorum: { voters: voters.map((id) => member(id)) } }) }),
    ...{ steps: [], call: { state: 'none' }, hook: undefined, hasRoutes: true },
  });

test('a KafkaCluster is provisioned when every controller can vote, and not before', () => {
  expect(provision([1_000, 1_001, 1_002])).toEqual({ reason: 'NodesReady' });
  expect(provision([1_000, 1_001])).toEqual({
    reason: 'Provisioning',
    message: 'Waiting until events-controller-1002 can vote in the metadata quorum',
  });
});
