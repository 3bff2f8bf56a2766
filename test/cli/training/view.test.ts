import { describe, expect, it } from 'vitest';
import { advice } from '../../../cli/training/advice.js';
import { trainingStatusView } from '../../../cli/training/view.js';
import { conditions } from '../../../operator/controllers/training/conditions.js';
import { condition, now } from '../status/given-conditions.js';
import { goodput, trainingJob } from './given-job.js';

const view = (...given: Parameters<typeof trainingJob>) => trainingStatusView(trainingJob(...given), { now });

describe('the status of a TrainingJob', () => {
  it('is one screen, also if all is well', () => {
    expect(view()).toEqual({
      isWrong: false,
      lines: [
        'JOB        READY  PHASE    STEP      LOSS     WORKERS  GENERATION  CHECKPOINT  FAULTS  IN WINDOW',
        'ml/digits  True   Running  840/2000  0.12346  3/3      4           800         1       1 of 3, 0 of 1 full',
        '',
        'goodput 90.0 % of 20m; the rest: repeated 1m30s, recovering 30s',
        '',
        'RANK  STATE     STEP  POD         NODE',
        '0     training  840   digits-0-0  node-0',
        '1     training  840   digits-1-0  node-1',
        '2     training  840   digits-2-0  node-2',
        '',
        'FAULT          WHEN    RANK  STEP  REPAIR   RECOVERY  POD         NODE    MESSAGE',
        'ProcessFailed  2m ago  2     700   Process  3s        digits-2-0  node-2  signal SIGKILL',
        '',
        'No problems.',
      ],
    });
  });

  it('has what is wrong and what to do, then what is in progress', () => {
    const message = 'WorkerLost of Pod digits-2-0: \u001b[31mgone';
    const { lines, isWrong } = view({
      conditions: [
        condition('Healthy', 'False', 'WorkerLost', message),
        condition('Training', 'Unknown', 'Recovering', 'A worker does not run'),
      ],
    });
    expect(isWrong).toBe(true);
    expect(lines.slice(lines.indexOf('Problems:'))).toEqual([
      'Problems:',
      '  Healthy WorkerLost',
      '    WorkerLost of Pod digits-2-0: \\u001b[31mgone',
      '    To do: wait; if it happens again, check the node in the message',
      '',
      'In progress:',
      '  Training Recovering',
      '    A worker does not run',
    ]);
  });

  it.each([
    { shown: 'LOSS -', when: 'the loss is not finite', status: { loss: undefined } },
    { shown: 'STEP 840', when: 'the program does not say how many', status: { steps: undefined } },
    {
      shown: 'CHECKPOINT 800 !',
      when: 'the last state was not written',
      status: { checkpoint: { step: 800, healthy: false } },
    },
    { shown: 'CHECKPOINT -', when: 'there is none', status: { checkpoint: undefined } },
    { shown: 'PHASE -', when: 'the operator has not written it', status: { phase: undefined } },
  ])('has $shown when $when', ({ shown, status }) => {
    const [header = '', row = ''] = view(status).lines;
    const [column = '', ...words] = shown.split(' ');
    expect(row.slice(header.indexOf(column)).split('  ')[0]).toBe(words.join(' '));
  });

  it.each([
    ['Training', 'goodput 90.0 % of 20m; the rest: repeated 1m30s, recovering 30s'],
    ['Recovering', 'goodput 85.0 % of 20m; the rest: repeated 1m30s, recovering 1m30s'],
    ['Ended', 'goodput 89.5 % of 19m; the rest: repeated 1m30s, recovering 30s'],
  ])('counts the time since the last change for what the job does: %s', (activity, line) => {
    expect(view({ goodput: { ...goodput, activity } }).lines).toContain(line);
  });

  it.each([
    ['5 steps/s, done in 20m', { stepsPerSecond: 5, estimatedCompletion: new Date(now + 1_200_000).toISOString() }],
    ['0.25 steps/s', { stepsPerSecond: 0.25 }],
  ])('has the speed, and the end if it is known: %s', (line, status) => {
    expect(view(status).lines).toContain(line);
  });

  it('has no goodput before the first step', () => {
    expect(view({ goodput: undefined }).lines.join('\n')).not.toContain('goodput');
  });

  it('has the first and the last rank of workers with several processes', () => {
    expect(view({}, { processesPerWorker: 8 }).lines).toContain('8-15   training  840   digits-1-0  node-1');
  });

  it('of many ranks has those that do not train, and then those that are the furthest behind', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      ...{ pod: `p${index}`, uid: `u${index}`, index, state: index === 30 ? 'joining' : 'training', step: 900 - index },
    }));
    const { lines } = view({ ranks: many });
    expect(lines.slice(6, 8).map((line) => line.split(/ +/)[0])).toEqual(['30', '39']);
    expect(lines).toContain('and 8 more');
  });

  it('has at most five faults', () => {
    const faults = Array.from({ length: 9 }, (_, index) => ({ kind: `Fault${index}`, time: '2029-12-31T23:58:00Z' }));
    const shown = view({ faults }).lines.filter((line) => line.startsWith('Fault'));
    expect(shown.map((line) => line.split(' ')[0])).toEqual(['Fault0', 'Fault1', 'Fault2', 'Fault3', 'Fault4']);
  });

  it('has what the API server refuses, and Ready only if no other condition has its reason', () => {
    const refused = 'Pod digits-0-0 "is invalid": spec.containers[0].image: Required value';
    const reported = (...conditions: readonly ReturnType<typeof condition>[]) => {
      const { lines } = view({ conditions });
      return lines.slice(lines.indexOf('Problems:') + 1).filter((line) => !line.startsWith('    '));
    };
    expect(reported(condition('Ready', 'False', 'ApplyRejected', refused))).toEqual(['  Ready ApplyRejected']);
    expect(view({ conditions: [condition('Ready', 'False', 'ApplyRejected', refused)] }).isWrong).toBe(true);
    expect(
      reported(condition('Ready', 'False', 'ImageUnavailable'), condition('Training', 'False', 'ImageUnavailable')),
    ).toEqual(['  Training ImageUnavailable']);
    expect(view({ conditions: [condition('Ready', 'Unknown', 'Starting')] }).isWrong).toBe(false);
  });

  it('of a job that no operator has seen is a problem', () => {
    expect(view({ observedGeneration: -1, conditions: [] })).toMatchObject({ isWrong: true });
  });
});

describe('the advice', () => {
  it('is for conditions that are False', () => {
    const declared = Object.entries(conditions).flatMap(([type, reasons]) =>
      Object.entries(reasons).flatMap(([reason, [status]]) => (status === 'False' ? [`${type} ${reason}`] : [])),
    );
    const advised = Object.entries(advice).flatMap(([type, reasons]) =>
      Object.keys(reasons).map((reason) => `${type} ${reason}`),
    );
    expect(advised.toSorted()).toEqual(declared.toSorted());
  });
});
