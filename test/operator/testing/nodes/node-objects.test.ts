import { expect, test } from 'vitest';
import { ControlPlane } from '../../../../operator/testing/index.js';
import { simulatedNodes } from '../../../../operator/testing/nodes/node-objects.js';

test('nodes are spread over three zones, and each has its own name and address', () => {
  const nodes = simulatedNodes(300, '2026-01-01T00:00:00Z');
  const zones = nodes.map(({ manifest }) => manifest.metadata.labels?.['topology.kubernetes.io/zone']);
  expect(zones.slice(0, 4)).toEqual(['simulated-a', 'simulated-b', 'simulated-c', 'simulated-a']);
  expect(new Set(nodes.map(({ address }) => address)).size).toBe(300);
  expect(new Set(nodes.map(({ manifest }) => manifest.metadata.name)).size).toBe(300);
});

test.each([-1, 0.5, 1001, Number.NaN])('%s nodes are refused', async (nodes) => {
  await expect(ControlPlane.start({ nodes })).rejects.toThrow(
    `nodes: Invalid value: ${nodes}: must be an integer from 0 to 1000`,
  );
});
