import { expect, test } from 'vitest';
import { sampleOf } from './node-metrics.js';

const metrics = `# HELP kafka_server_raftmetrics_number_of_voters number of voters
# TYPE kafka_server_raftmetrics_number_of_voters gauge
kafka_server_raftmetrics_number_of_voters 3.0
kafka_server_raftmetrics_current_state{current_state="leader"} 1.0
kafka_server_raftmetrics_broken NaN
`;

test('the value of a metric is read from its line', () => {
  expect(sampleOf(metrics, 'kafka_server_raftmetrics_number_of_voters')).toBe(3);
});

test.each([
  'kafka_server_raftmetrics_number_of',
  'kafka_server_raftmetrics_current_state',
  'kafka_server_raftmetrics_broken',
])('no value is made up for %s', (name) => {
  expect(() => sampleOf(metrics, name)).toThrow(`the node exports no ${name}, only kafka_server_raftmetrics_`);
});
