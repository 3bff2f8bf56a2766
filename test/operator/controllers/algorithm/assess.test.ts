import { describe, expect, it } from 'vitest';
import type { AlgorithmResource } from '../../../../imports/index.js';
import { assess } from '../../../../operator/controllers/algorithm/assess.js';
import { rolloutOf } from '../../../../operator/controllers/algorithm/versions/rollout.js';
import { keptOf } from '../../../../operator/controllers/algorithm/versions/versions.js';
import { ownedOf } from '../../../../operator/runtime/controller/owned-objects.js';
import type { LiveDeployment } from '../../../../operator/runtime/index.js';
import { controllerRevision, versionOf } from '../../../../src/index.js';
import { live } from '../../../given.js';
import { algorithmResource, deadlineExceeded, deployment, done, replicaFailure } from './given-algorithm.js';

/** Nobody else claims its host. */
const idle = {
  now: new Date(0),
  reads: { hostClaimants: [], hostService: undefined },
  polled: { startingPods: undefined },
};

/** What is said of an image whose stable version is another, or the same, when its trial says why it is not promoted. */
function triedAs(
  reason: string,
  given: { image: string; pods: LiveDeployment['status']; trial?: string | undefined; generation?: number },
) {
  const revisionOf = (version: string) => keptOf('reco', versionOf({ image: version }), 0);
  const resource = algorithmResource({ image: given.image, lifecycle: {} as never });
  const said = { type: 'Promoted', status: 'False', reason, message: 'why', observedGeneration: given.generation ?? 1 };
  const status = {
    conditions: [said],
    trial: { revision: given.trial ?? revisionOf('reco:2').name, replicas: 0 },
  };
  const kept = live(
    controllerRevision({ owner: 'reco', namespace: 'team', ...revisionOf('reco:1'), number: 1 }) as never,
  );
  const edited = { ...resource, metadata: { ...resource.metadata, generation: 2 }, status } as never;
  const pods = deployment(given.pods);
  const owned = { of: () => [pods], one: () => pods, all: () => [pods] };
  return assess({
    resource: edited,
    owned: owned as never,
    siblings: { of: () => [kept] } as never,
    accepted: true,
    ...idle,
  });
}

describe('a rollout', () => {
  it.each([
    { is: 'RollingOut', says: 'The Deployment does not exist yet', when: 'there is no Deployment', given: undefined },
    {
      is: 'RollingOut',
      says: '0 of 3 replicas of the current spec are ready',
      when: 'nobody has looked at it',
      given: deployment(undefined),
    },
    {
      is: 'RollingOut',
      says: '0 of 3 replicas of the current spec are ready',
      when: 'the status is of an older spec',
      given: deployment({ ...done, observedGeneration: 1 }),
    },
    {
      is: 'RollingOut',
      says: '1 of 3 replicas of the current spec are ready',
      when: 'one replica is new',
      given: deployment({ ...done, updatedReplicas: 1 }),
    },
    {
      is: 'RollingOut',
      says: '3 of 3 replicas of the current spec are ready',
      when: 'an old replica is left',
      given: deployment({ ...done, replicas: 4 }),
    },
    {
      is: 'RollingOut',
      says: '2 of 3 replicas of the current spec are ready',
      when: 'one is not available',
      given: deployment({ ...done, availableReplicas: 2 }),
    },
    { is: 'RolledOut', says: '3 of 3 replicas run the current spec', when: 'all are', given: deployment(done) },
    {
      is: 'RolledOut',
      says: '0 of 0 replicas run the current spec',
      when: 'none is wanted',
      given: deployment({ observedGeneration: 2 }, { replicas: 0 }),
    },
    {
      is: 'RolloutFailed',
      says: 'The new replicas did not become ready in time; check the Pods, then fix or revert the spec',
      when: 'the deadline passed',
      given: deployment({ ...done, updatedReplicas: 1, conditions: deadlineExceeded }),
    },
    {
      is: 'RollingOut',
      says: '0 of 3 replicas of the current spec are ready',
      when: 'the deadline of an older spec passed',
      given: deployment({ ...done, observedGeneration: 1, conditions: deadlineExceeded }),
    },
    {
      is: 'FailedCreate',
      says: 'Pods cannot be created: exceeded quota: gpus',
      when: 'pods cannot be made',
      given: deployment({ ...done, availableReplicas: 0, conditions: replicaFailure }),
    },
  ] as { is: string; says: string; when: string; given: LiveDeployment | undefined }[])(
    'R24 is $is when $when',
    ({ is, says, given }) => {
      expect(rolloutOf(given)).toEqual({ reason: is, message: says });
    },
  );
});

/** What is said of an Algorithm whose Deployment is this. */
function assessed(
  given: LiveDeployment | undefined,
  {
    spec = {},
    accepted = true,
    why,
    status,
  }: { spec?: Partial<AlgorithmResource['spec']>; accepted?: boolean; why?: string; status?: object } = {},
) {
  const answer = why === undefined ? { known: false, why: 'no answer yet' } : { known: true, value: { why }, at: 0 };
  const owned = { of: () => (given ? [given] : []), one: () => given, all: () => (given ? [given] : []) };
  const plain = algorithmResource(spec);
  const metadata = { ...plain.metadata, generation: 1 };
  const resource = { ...plain, ...(status && { metadata, status }) } as AlgorithmResource;
  const polled = { startingPods: { ...answer, earlier: [] } as never };
  return assess({ resource, owned: owned as never, siblings: ownedOf([]), accepted, ...idle, polled });
}

describe('an Algorithm', () => {
  const old = { ...done, observedGeneration: 1 };
  it.each([
    { phase: 'Pending', available: 'NoReadyReplica', when: 'nothing is there', given: undefined },
    {
      phase: 'Pending',
      available: 'Serving',
      when: 'a new spec rolls out while the old one serves',
      given: deployment(old),
    },
    { phase: 'Running', available: 'Serving', when: 'all is rolled out', given: deployment(done) },
    {
      phase: 'Degraded',
      available: 'Serving',
      when: 'the rollout failed and the old one serves',
      given: deployment({ ...done, updatedReplicas: 1, conditions: deadlineExceeded }),
    },
    {
      phase: 'Degraded',
      available: 'NoReadyReplica',
      when: 'Pods cannot be created',
      given: deployment({ ...done, availableReplicas: 0, conditions: replicaFailure }),
    },
    {
      phase: 'Degraded',
      available: 'ScaledToZero',
      when: 'no replica is wanted',
      given: deployment({ observedGeneration: 2 }, { replicas: 0 }),
    },
    {
      phase: 'Rejected',
      available: 'Serving',
      when: 'the spec was rejected and the old one serves',
      given: deployment(done),
      accepted: false,
    },
    {
      phase: 'Rejected',
      available: 'NoReadyReplica',
      when: 'the first spec was rejected',
      given: undefined,
      accepted: false,
    },
  ] as { phase: string; available: string; when: string; given: LiveDeployment | undefined; accepted?: boolean }[])(
    'is $phase and $available when $when',
    ({ phase, available, given, accepted = true }) => {
      const { status, conditions } = assessed(given, { accepted });
      expect([status?.phase, conditions.Available?.reason]).toEqual([phase, available]);
    },
  );

  const none = { ...done, availableReplicas: 0 };
  const why = 'the image reco:nope cannot be pulled';

  it('names the cause first while no replica is ready', () => {
    expect(assessed(deployment(none), { why }).conditions).toMatchObject({
      Available: { reason: 'NoReadyReplica', message: 'The image reco:nope cannot be pulled, so no replica is ready' },
      Deployed: {
        reason: 'RollingOut',
        message: 'The image reco:nope cannot be pulled: 0 of 3 replicas of the current spec are ready',
      },
    });
  });

  it('names the cause first of a rollout that failed, and still serves', () => {
    const late = deployment({ ...done, updatedReplicas: 1, conditions: deadlineExceeded });
    expect(assessed(late, { why }).conditions).toMatchObject({
      Available: { reason: 'Serving' },
      Deployed: {
        reason: 'RolloutFailed',
        message:
          'The image reco:nope cannot be pulled: The new replicas did not become ready in time; check the Pods, then fix or revert the spec',
      },
    });
  });

  it('names the refusal of Pods first, whatever the Pods report', () => {
    const refused = deployment({ ...none, conditions: replicaFailure });
    expect(assessed(refused, { why }).conditions).toMatchObject({
      Available: { reason: 'NoReadyReplica', message: 'Pods cannot be created, and no replica is ready' },
      Deployed: { reason: 'FailedCreate', message: 'Pods cannot be created: exceeded quota: gpus' },
    });
  });

  it.each([
    { when: 'no cause is known', given: deployment(none), why: '' },
    { when: 'it is not asked yet', given: deployment(none) },
    { when: 'there are no Pods', given: deployment({ observedGeneration: 2 }), why },
    { when: 'there is no Deployment', given: undefined, why },
  ])('says only that no replica is ready when $when', ({ given, why }) => {
    const { Available, Deployed } = assessed(given, { ...(why !== undefined && { why }) }).conditions;
    expect(Available).toEqual({ reason: 'NoReadyReplica' });
    expect(Deployed).toEqual(rolloutOf(given));
  });

  it('has no cause any more when it serves', () => {
    const { Available, Deployed } = assessed(deployment({ ...done, availableReplicas: 1 }), { why }).conditions;
    expect([Available, Deployed?.message]).toEqual([
      { reason: 'Serving' },
      '1 of 3 replicas of the current spec are ready',
    ]);
  });

  describe('after a restart of the operator', () => {
    const before = {
      type: 'Available',
      status: 'False',
      message: 'The image reco:nope cannot be pulled, so no replica is ready',
    };
    const restarted = (condition: object, why?: string) => {
      const status = { conditions: [{ ...before, reason: 'NoReadyReplica', observedGeneration: 1, ...condition }] };
      return assessed(deployment(none), { status, ...(why !== undefined && { why }) }).conditions.Available?.message;
    };
    it.each([
      { when: 'it has not asked yet', condition: {}, message: before.message },
      { when: 'it was told another', condition: {}, why: 'x', message: 'X, so no replica is ready' },
      { when: 'it was told none', condition: {}, why: '', message: undefined },
      { when: 'the spec was edited since', condition: { observedGeneration: 0 }, message: undefined },
      { when: 'none was known', condition: { message: 'No replica is ready' }, message: undefined },
      { when: 'another condition has it', condition: { type: 'Deployed' }, message: undefined },
    ])('has the cause $message when $when', ({ condition, message, why }) => {
      expect(restarted(condition, why)).toBe(message);
    });
  });

  it('tells its numbers, and its selector as labels', () => {
    expect(assessed(deployment({ ...done, readyReplicas: 2 })).status).toEqual({
      ...{ phase: 'Running', replicas: 3, readyReplicas: 2, selector: 'app=reco,part=server' },
    });
    expect(assessed(undefined).status).toEqual({ phase: 'Pending', replicas: 0, readyReplicas: 0 });
  });

  it.each([
    {
      phase: 'Trial',
      when: 'another version came since, which nobody has looked at',
      trial: 'reco-of-old',
      image: 'reco:3',
    },
    {
      phase: 'RolledBack',
      when: 'it is still the same version, and something else was edited',
      trial: undefined,
      image: 'reco:2',
    },
    { phase: 'Running', when: 'The spec was changed back to the stable version', trial: undefined, image: 'reco:1' },
  ])('line 4: a version was taken back, and the phase is $phase when $when', ({ phase, trial, image }) => {
    expect(triedAs('RolledBack', { image, pods: done, trial }).status?.phase).toBe(phase);
  });

  it.each([
    {
      phase: 'Pending',
      deployed: 'RollingOut',
      when: 'it is made anew, and what the one before had is still there',
      image: 'reco:1',
      pods: {},
    },
    { phase: 'Running', deployed: 'RolledOut', when: 'the stable version is wanted', image: 'reco:1', pods: done },
    { phase: 'Degraded', deployed: 'OnTrial', when: 'another version is to be tried', image: 'reco:2', pods: done },
  ])('is $phase and $deployed when $when, and its trial is obstructed', ({ phase, deployed, image, pods }) => {
    const { status, conditions } = triedAs('Conflict', { image, pods, generation: 2 });
    expect([status?.phase, conditions.Deployed?.reason]).toEqual([phase, deployed]);
  });

  it.each([
    { says: undefined, when: 'no latency is in the spec', spec: { scaling: { minReplicas: 1, maxReplicas: 2 } } },
    { says: 'NotMeasured', when: 'one is', spec: { scaling: { minReplicas: 1, maxReplicas: 2, targetLatencyMs: 50 } } },
  ])('says of a latency that nobody measures: $says when $when', ({ says, spec }) => {
    const { conditions } = assessed(deployment(done), { spec: spec as Partial<AlgorithmResource['spec']> });
    expect(conditions.LatencyManaged?.reason).toBe(says);
  });
});
