import { describe, expect, it } from 'vitest';
import { tableLines } from '../../../../cli/status/report-lines.js';
import { statusTables } from '../../../../operator/controllers/training/status-tables.js';
import { now } from '../../../cli/status/given-conditions.js';
import { goodput, trainingJob } from '../../../cli/training/given-job.js';

const tables = (...given: Parameters<typeof trainingJob>) =>
  statusTables({ resource: trainingJob(...given), objects: [], now }).map(tableLines);

describe('the tables of a TrainingJob', () => {
  it('are its progress, its goodput, its ranks and its faults', () => {
    expect(tables()).toEqual([
      [
        'PHASE    STEP      LOSS     WORKERS  GENERATION  CHECKPOINT  FAULTS  IN WINDOW',
        'Running  840/2000  0.12346  3/3      4           800         1       1 of 3, 0 of 1 full',
      ],
      [
        'GOODPUT  OF   LOST                            STEPS/S  DONE IN',
        '90.0 %   20m  repeated 1m30s, recovering 30s  -        -',
      ],
      [
        'RANK  STATE     STEP  POD         NODE',
        '0     training  840   digits-0-0  node-0',
        '1     training  840   digits-1-0  node-1',
        '2     training  840   digits-2-0  node-2',
      ],
      [
        'FAULT          WHEN    RANK  STEP  REPAIR   RECOVERY  POD         NODE    MESSAGE',
        'ProcessFailed  2m ago  2     700   Process  3s        digits-2-0  node-2  signal SIGKILL',
      ],
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
  ])('have $shown when $when', ({ shown, status }) => {
    const [[header = '', row = ''] = []] = tables(status);
    const [column = '', ...words] = shown.split(' ');
    expect(row.slice(header.indexOf(column)).split('  ')[0]).toBe(words.join(' '));
  });

  it.each([
    ['Training', '90.0 %   20m  repeated 1m30s, recovering 30s'],
    ['Recovering', '85.0 %   20m  repeated 1m30s, recovering 1m30s'],
    ['Ended', '89.5 %   19m  repeated 1m30s, recovering 30s'],
  ])('count the time since the last change for what the job does: %s', (activity, line) => {
    expect(tables({ goodput: { ...goodput, activity } })[1]?.[1]).toContain(line);
  });

  it.each([
    ['5 20m', { stepsPerSecond: 5, estimatedCompletion: new Date(now + 1_200_000).toISOString() }],
    ['0.25 -', { stepsPerSecond: 0.25 }],
  ])('have the speed, and the end if it is known: %s', (shown, status) => {
    expect(tables(status)[1]?.[1]?.split(/ {2,}/).slice(-2)).toEqual(shown.split(' '));
    expect(tables({ ...status, goodput: undefined })[1]?.[1]?.split(/ {2,}/)).toEqual([
      '-',
      '-',
      '-',
      ...shown.split(' '),
    ]);
  });

  it('have no goodput before the first step', () => {
    expect(tables({ goodput: undefined })[1]).toEqual([]);
  });

  it('have the first and the last rank of workers with several processes', () => {
    expect(tables({}, { processesPerWorker: 8 })[2]).toContain('8-15   training  840   digits-1-0  node-1');
  });

  it('of many ranks have those that do not train, and then those that are the furthest behind', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      ...{ pod: `p${index}`, uid: `u${index}`, index, state: index === 30 ? 'joining' : 'training', step: 900 - index },
    }));
    const [, , lines = []] = tables({ ranks: many });
    expect(lines[0]).toBe('32 of 40 ranks');
    expect(lines.slice(2, 4).map((line) => line.split(/ +/)[0])).toEqual(['30', '39']);
  });

  it('have at most five faults', () => {
    const faults = Array.from({ length: 9 }, (_, index) => ({ kind: `Fault${index}`, time: '2029-12-31T23:58:00Z' }));
    const shown = tables({ faults })[3]
      ?.slice(1)
      .map((line) => line.split(' ')[0]);
    expect(shown).toEqual(['Fault0', 'Fault1', 'Fault2', 'Fault3', 'Fault4']);
  });
});
