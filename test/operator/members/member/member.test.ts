import { describe, expect, it, test } from 'vitest';
import {
  goneNodesAsked,
  type Member,
  type MemberNames,
  type MemberObjects,
  membersFrom,
} from '../../../../operator/members/index.js';
import type { NodeState } from '../../../../operator/pods/node-state.js';
import { claim, pod } from '../given-members.js';

const node = (changes: Partial<NodeState> = {}): NodeState => ({
  ...{ name: 'node-1', labels: { zone: 'a' }, isReady: true, isCordoned: false },
  ...changes,
});

const read = (objects: Partial<MemberObjects>, names: MemberNames = {}): readonly Member[] =>
  membersFrom(
    { pods: [], claims: [], nodes: [node()], topologyKey: 'zone', ...objects },
    names,
    (found) => found.member,
  );

const failing = { containerStatuses: [{ name: 'store', state: { terminated: { exitCode: 1 } } }], conditions: [] };
const additional: MemberNames = {
  memberOf: ({ metadata }) => /^(.+)-fast$/.exec(metadata.name)?.[1],
  additionalClaims: (name) => [`${name}-fast`],
};

describe('a member', () => {
  test.each<{ is: Partial<Member>; when: string; objects: Partial<MemberObjects>; names?: MemberNames }>([
    {
      is: { pod: 'there', claim: 'there', isReady: true, node: 'node-1', zone: 'a', home: 'node-1', isNodeGone: false },
      when: 'it serves',
      objects: { pods: [pod()], claims: [claim()] },
    },
    {
      is: { isReady: true, readySince: Date.parse('2030-01-01T11:30:00Z') },
      when: 'it is ready since a time',
      objects: { pods: [pod()] },
    },
    {
      is: { isReady: false, unreadySince: Date.parse('2030-01-01T11:00:00Z') },
      when: 'it never was ready: since its Pod was created',
      objects: { pods: [pod({ status: { conditions: [] } })] },
    },
    { is: { pod: 'none', claim: 'there', isReady: false }, when: 'it has a PVC alone', objects: { claims: [claim()] } },
    { is: { pod: 'there', claim: 'none' }, when: 'it has a Pod alone', objects: { pods: [pod()] } },
    {
      is: { pod: 'ending', isReady: false, trouble: undefined },
      when: 'its Pod is terminating: exit codes mean nothing then',
      objects: { pods: [pod({ metadata: { deletionTimestamp: '2030-01-01T12:00:00Z' }, status: failing })] },
    },
    {
      is: { isReady: false, trouble: 'container store: exited with code 1' },
      when: 'its container has ended',
      objects: { pods: [pod({ status: failing })] },
    },
    {
      is: { isReady: false, isNodeLost: true, trouble: 'its node node-1 is not ready' },
      when: 'its node is lost: the cause comes first',
      objects: { pods: [pod({ status: failing })], nodes: [node({ isReady: false })] },
    },
    {
      is: { isCordoned: true },
      when: 'its node is cordoned',
      objects: { pods: [pod()], nodes: [node({ isCordoned: true })] },
    },
    {
      is: { zone: 'b', isNodeLost: false, isCordoned: false },
      when: 'the operator may not read nodes: the Pod has the label',
      objects: { pods: [pod({ metadata: { labels: { zone: 'b' } } })], nodes: [] },
    },
    {
      is: { isNodeGone: true, home: 'node-1' },
      when: 'the node of its volume is deleted',
      objects: { claims: [claim()], pods: [pod({ spec: { nodeName: undefined } })], nodes: [], gone: ['node-1'] },
    },
    {
      is: { isNodeGone: false },
      when: 'another node runs its Pod: the volume is there too',
      objects: { claims: [claim('store-1', {}, 'node-7')], pods: [pod()], gone: ['node-7'] },
    },
    {
      is: { isNodeGone: false },
      when: 'a node is absent from the cache alone',
      objects: { claims: [claim()], nodes: [] },
    },
    {
      is: { claim: 'ending' },
      when: 'one of its PVCs is terminating',
      objects: { claims: [claim(), claim('store-1-fast', { deletionTimestamp: '2030-01-01T12:00:00Z' })] },
      names: additional,
    },
    {
      is: { missingClaim: 'store-1-fast', claim: 'there' },
      when: 'the spec adds a volume',
      objects: { claims: [claim()] },
      names: additional,
    },
    {
      is: { claim: 'none', pod: 'none' },
      when: 'the PVC of an additional volume alone is left: it keeps its name',
      objects: { claims: [claim('store-1-fast')] },
      names: additional,
    },
  ])('has $is when $when', ({ is, objects, names }) => {
    const [found, ...others] = read(objects, names);
    expect({ ...found }).toMatchObject({ name: 'store-1', ...is });
    expect(others).toEqual([]);
  });

  it('is none of the objects that the kind does not name', () => {
    const none = membersFrom({ pods: [pod()], claims: [], nodes: [], topologyKey: 'zone' }, {}, () => undefined);
    expect(none).toEqual([]);
  });

  it('names the field of its own Pod template in its trouble', () => {
    const status = {
      containerStatuses: [{ name: 'store', image: 'x', state: { waiting: { reason: 'ErrImagePull' } } }],
    };
    const [found] = read(
      { pods: [pod({ status: { ...status, conditions: [] } })] },
      { podTemplate: () => 'spec.pool' },
    );
    expect(found?.trouble).toContain('spec.pool.imagePullSecrets');
  });
});

describe('the question for deleted nodes', () => {
  const asked = (nodes: readonly NodeState[], isServed = true) =>
    goneNodesAsked({ claims: [claim(), claim('store-2', {}, 'node-2')], nodes, isServed: () => isServed })?.question;
  it.each([
    { names: ['node-2'], when: 'the cache lacks one', nodes: [node()] },
    { names: undefined, when: 'the cache has all', nodes: [node(), node({ name: 'node-2' })] },
    { names: undefined, when: 'the operator may not read nodes', nodes: [], isServed: false },
  ])('is about $names when $when', ({ names, nodes, isServed }) => {
    expect(asked(nodes, isServed)).toEqual(names && { names });
  });
});
