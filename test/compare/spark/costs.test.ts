import { expect, test } from 'vitest';
import { sumOf } from './costs.js';

const text = `# HELP pod_cpu_usage_seconds_total [STABLE] Cumulative cpu time
# TYPE pod_cpu_usage_seconds_total counter
pod_cpu_usage_seconds_total{namespace="a",pod="operator-1"} 12.5 1796043303000
pod_cpu_usage_seconds_total{namespace="a",pod="operator-2"} 1.25e+01 1796043303000
pod_cpu_usage_seconds_total{namespace="b",pod="operator-1"} 99 1796043303000
pod_cpu_usage_seconds_total_more{namespace="a",pod="operator-1"} 99 1796043303000
`;

test('the costs of a Pod are those of its name and namespace', () => {
  expect(sumOf(text, 'pod_cpu_usage_seconds_total', { namespace: 'a', pod: 'operator-1' })).toBe(12.5);
  expect(sumOf(text, 'pod_cpu_usage_seconds_total', { namespace: 'a' })).toBe(25);
  expect(sumOf(text, 'pod_cpu_usage_seconds_total', { namespace: 'c' })).toBe(0);
});
