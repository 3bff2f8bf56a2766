import { describe, expect, it } from 'vitest';
import type { SparkJobStatus } from '../../../../imports/index.js';
import { assessed, backingOff, planned, running, type Seen } from './given-job.js';
import { at, driver, ended, executor, failed, succeeded } from './given-pods.js';

/** The second attempt is due, and nothing of it exists. */
const due = (changes: Partial<SparkJobStatus> = {}, spec: object = {}) =>
  backingOff({ nextAttemptTime: at(0), ...changes }, spec);
const first = failed(1);

describe('the next driver is created', () => {
  it.each<{ when: string; seen: Seen }>([
    {
      when: 'the first attempt was written down',
      seen: { status: running({ driver: undefined, startTime: undefined }) },
    },
    { when: 'the driver before has ended', seen: { status: due(), pods: [first] } },
    { when: 'the Pod of the driver before is gone', seen: { status: due(), pods: [] } },
    {
      when: 'the program of the driver before has ended, and an injected container runs on',
      seen: { status: due(), pods: [driver({ state: ended(1) })] },
    },
    {
      when: 'an earlier SparkJob of the name has ended',
      seen: { status: due(), pods: [first, succeeded({ owner: 'earlier' })] },
    },
    {
      when: 'executors of the attempt before have ended',
      seen: { status: due(), pods: [first, executor(1, { phase: 'Succeeded' })] },
    },
    {
      when: 'an executor of the attempt before was on a node that is lost now',
      seen: { status: due(), pods: [first, executor(1)], lost: ['node-2'] },
    },
  ])('when $when', ({ seen }) => {
    expect(planned(seen).creates).toBe(true);
  });
});

describe('no driver is created', () => {
  it.each<{ when: string; seen: Seen; submitted?: string }>([
    { when: 'no attempt was written down', seen: {}, submitted: 'Submitting' },
    { when: 'it exists', seen: { status: running(), pods: [driver()] }, submitted: 'DriverRunning' },
    { when: 'it existed, and its Pod is gone', seen: { status: running() } },
    { when: 'it has failed, and this was not written down', seen: { status: running(), pods: [first] } },
    {
      when: 'the wait is not over',
      seen: { status: due({ nextAttemptTime: at(1) }), pods: [first] },
      submitted: 'BackingOff',
    },
    { when: 'the job is suspended', seen: { spec: { suspend: true }, status: due(), pods: [first] } },
    { when: 'the spec was edited since', seen: { spec: { args: ['x'] }, generation: 2, status: due(), pods: [first] } },
    { when: 'the driver before runs', seen: { status: due(), pods: [driver()] }, submitted: 'OtherDriver' },
    {
      when: 'the driver before terminates',
      seen: { status: due(), pods: [driver({ isEnding: true })] },
      submitted: 'OtherDriver',
    },
    {
      when: 'the driver before terminates on a lost node',
      seen: { status: due(), pods: [driver({ isEnding: true })], lost: ['node-1'] },
      submitted: 'OtherDriver',
    },
    {
      when: 'the driver before has lost its labels',
      seen: { status: due(), pods: [driver({ labels: {} })] },
      submitted: 'OtherDriver',
    },
    {
      when: 'a driver of a run before runs',
      seen: { status: due({ run: 2 }), pods: [driver({ attempt: '1-7' })] },
      submitted: 'OtherDriver',
    },
    {
      when: 'a driver runs that the status does not know',
      seen: { status: due(), pods: [driver({ attempt: '3-1' })] },
      submitted: 'OtherDriver',
    },
    {
      when: 'a driver of an earlier SparkJob of the name runs',
      seen: { status: due(), pods: [driver({ attempt: '1-2', owner: 'earlier' })] },
      submitted: 'OtherDriver',
    },
    {
      when: 'a driver runs whose name no attempt has',
      seen: { status: due(), pods: [driver({ attempt: 'x' })] },
      submitted: 'OtherDriver',
    },
    {
      when: 'a driver is Pending',
      seen: { status: due(), pods: [driver({ phase: 'Pending', state: null })] },
      submitted: 'OtherDriver',
    },
    {
      when: 'an executor of the attempt before runs',
      seen: { status: due(), pods: [first, executor(1)] },
      submitted: 'Submitting',
    },
    {
      when: 'an executor of the attempt before terminates',
      seen: { status: due(), pods: [first, executor(1, { isEnding: true })] },
      submitted: 'Submitting',
    },
    {
      when: 'an executor of the attempt before is Pending',
      seen: { status: due(), pods: [first, executor(1, { phase: 'Pending' })] },
    },
    {
      when: 'the driver is being stopped',
      seen: { status: running({ driver: undefined, stopping: { reason: 'Edited', time: at(-1) } }) },
    },
  ])('when $when', ({ seen, submitted }) => {
    expect(planned(seen).creates).toBe(false);
    if (submitted !== undefined) expect(assessed(seen).conditions.Submitted?.reason).toBe(submitted);
  });

  it.each([
    ['an earlier attempt', driver(), 'Pod clean-1-1-driver of an earlier attempt may still run'],
    [
      'an earlier SparkJob',
      driver({ owner: 'earlier' }),
      'Pod clean-1-1-driver of an earlier SparkJob of this name may still run',
    ],
  ])('and the driver of %s is named', (_, pod, message) => {
    expect(assessed({ status: due(), pods: [pod] }).conditions.Submitted).toEqual({ reason: 'OtherDriver', message });
  });

  it('while an executor of an earlier SparkJob of the name runs, which is left to others', () => {
    const seen = { status: due(), pods: [first, executor(1, { job: 'earlier' })] };
    expect(planned(seen)).toMatchObject({ creates: false, leftovers: [] });
  });

  it('and an executor of the attempt before is named', () => {
    const { conditions } = assessed({ status: due(), pods: [first, executor(1), executor(2)] });
    expect(conditions.Submitted?.message).toBe(
      'Pod clean-1-1-exec-1, an executor of an earlier attempt, has not ended yet',
    );
  });
});

describe('the Pods of drivers', () => {
  const attempts = (...numbers: readonly number[]) => numbers.map((one) => failed(1, {}, { attempt: `1-${one}` }));
  const named = (...numbers: readonly number[]) => numbers.map((one) => `clean-1-${one}-driver`);
  const over = (spec: object = {}, seconds = 10) => {
    const status = running({ state: 'Failed', attempt: 5, completionTime: at(0) }, spec);
    return { status, spec, seconds };
  };

  it('stay for their logs, the last three that have ended, and the one that runs', () => {
    const status = running({ attempt: 5, driver: { pod: 'clean-1-5-driver', uid: 'u' } });
    const pods = [...attempts(1, 2, 3, 4), driver({ attempt: '1-5' })];
    expect(planned({ status, pods }).left).toEqual(named(5, 4, 3, 2));
    expect(planned({ ...over(), pods: attempts(1, 2, 3, 4, 5) }).left).toEqual(named(5, 4, 3));
  });

  it('are deleted after the end with cleanPods All, and not before', () => {
    const spec = { cleanPods: 'All' };
    expect(planned({ ...over(spec), pods: attempts(4, 5) }).left).toEqual([]);
    expect(planned({ spec, status: due({}, spec), pods: attempts(1) }).left).toEqual(named(1));
  });

  it.each([
    { when: 'they run and the status does not know them', pod: driver({ attempt: '1-4' }) },
    { when: 'they run in an earlier run', pod: driver({ attempt: '1-1' }) },
  ])('are deleted when $when', ({ pod }) => {
    const status = running({ run: 2, attempt: 1, driver: undefined });
    expect(planned({ status, pods: [pod] })).toMatchObject({ left: [], creates: false });
  });

  it('are left to others if another SparkJob owns them', () => {
    expect(planned({ status: due(), pods: [driver({ owner: 'earlier' })] }).left).toEqual([]);
  });

  it('have a minute after the end for injected containers that run on', () => {
    const pod = driver({ attempt: '1-5', state: ended(1, { finishedAt: at(0) }) });
    expect(planned({ ...over({}, 59), pods: [pod] }).left).toEqual(named(5));
    expect(planned({ ...over({}, 60), pods: [pod] }).left).toEqual([]);
    expect(assessed({ ...over({}, 59), pods: [pod] }).requeueAfter).toBe(1_000);
    expect(assessed({ ...over({}, 60), pods: [pod] }).requeueAfter).toBeUndefined();
  });
});

describe('executors', () => {
  const of = (seen: Seen) => planned(seen).leftovers;
  it('are deleted once their driver has ended, or is gone and no longer the current one', () => {
    expect(of({ status: running(), pods: [first, executor(1), executor(2, { phase: 'Succeeded' })] })).toEqual([
      'clean-1-1-exec-1',
      'clean-1-1-exec-2',
    ]);
    expect(of({ status: due(), pods: [executor(1)] })).toEqual(['clean-1-1-exec-1']);
    expect(of({ status: running({ completionTime: at(-1) }), pods: [executor(1)] })).toEqual(['clean-1-1-exec-1']);
  });

  it.each([
    { when: 'their driver runs', seen: { status: running(), pods: [driver(), executor(1)] } },
    { when: 'the Pod of the current driver is not seen', seen: { status: running(), pods: [executor(1)] } },
    { when: 'they terminate already', seen: { status: due(), pods: [first, executor(1, { isEnding: true })] } },
    { when: 'another SparkJob has them', seen: { status: due(), pods: [first, executor(1, { job: 'other' })] } },
    {
      when: 'they have just ended',
      seen: { status: running(), pods: [driver(), executor(1, { phase: 'Failed', isInactive: true })] },
    },
    {
      when: 'a driver of a run before terminates',
      seen: { status: due({ run: 2 }), pods: [driver({ isEnding: true }), executor(1)] },
    },
  ])('stay when $when', ({ seen }) => {
    expect(of(seen)).toEqual([]);
  });

  it('that have ended stay for their logs while the driver runs, ten of them', () => {
    const gone = Array.from({ length: 12 }, (_, index) => executor(index, { phase: 'Failed', isInactive: true }));
    expect(of({ status: running(), pods: [driver(), ...gone, executor(99)] })).toHaveLength(2);
  });

  it('are deleted fifty at a time', () => {
    const many = Array.from({ length: 60 }, (_, index) => executor(index));
    expect(of({ status: running(), pods: [first, ...many] })).toHaveLength(50);
  });

  it('need the objects that attempts share until they are gone', () => {
    const status = running({ completionTime: at(-1) });
    expect(planned({ status, pods: [first, executor(1)] }).isShared).toBe(true);
    expect(planned({ status, pods: [first] }).isShared).toBe(false);
    expect(planned({ status: due(), pods: [first] }).isShared).toBe(true);
  });
});
