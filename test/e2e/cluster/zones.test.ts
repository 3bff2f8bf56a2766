import { expect, test } from 'vitest';
import type { LiveNode } from './kinds.js';
import { placeOf, zoneLabel, zoneProblem } from './zones.js';

function node(name: string, zone?: string, status = 'True'): LiveNode {
  const metadata = { name, uid: name, resourceVersion: '1', ...(zone && { labels: { [zoneLabel]: zone } }) };
  return { apiVersion: 'v1', kind: 'Node', metadata, status: { conditions: [{ type: 'Ready', status }] } };
}

const three = [node('n1', 'a'), node('n2', 'b'), node('n3', 'c')];

test.each([
  { got: undefined, when: 'three nodes are in three zones', nodes: three },
  { got: undefined, when: 'there is one more without a zone', nodes: [node('control-plane'), ...three] },
  { got: 2, when: 'two of three are in one', nodes: [node('n1', 'a'), node('n2', 'b'), node('n3', 'b')] },
  { got: 2, when: 'one is not ready', nodes: [...three.slice(1), node('n1', 'a', 'Unknown')] },
  { got: 0, when: 'no node says its zone', nodes: [node('n1'), node('n2'), node('n3')] },
])('the tests take three zones and got $got: $when', ({ got, nodes }) => {
  const problem =
    got === undefined ? undefined : expect.stringContaining(`got ${got}: label the nodes with ${zoneLabel}`);
  expect(zoneProblem(nodes)).toEqual(problem);
});

test('a node is called by its place in the order of names', () => {
  expect(placeOf('n1', [...three].reverse())).toBe(1);
  expect(() => placeOf('n4', three)).toThrow('there is no node n4: there are n1, n2, n3');
});
