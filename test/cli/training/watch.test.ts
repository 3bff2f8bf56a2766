import { describe, expect, it, test } from 'vitest';
import { lossCurve, speedOf, speedText, withSample } from '../../../cli/training/progress.js';
import { endCodeOf, trainingScreen } from '../../../cli/training/watch.js';
import { condition, now } from '../status/given-conditions.js';
import { restarted, trainingJob } from './given-job.js';

const sample = (second: number, step: number, loss?: number) => ({ time: 1_000 * second, step, loss });

describe('the speed', () => {
  it.each([
    { is: undefined, when: 'one step was seen', samples: [sample(0, 10)] },
    { is: 5, when: 'two were seen', samples: [sample(0, 10), sample(2, 20)] },
    { is: 1, when: 'it changed more than a minute ago', samples: [sample(0, 0), sample(60, 900), sample(110, 950)] },
    { is: undefined, when: 'the job went back', samples: [sample(0, 30), sample(2, 20)] },
  ])('is $is when $when', ({ is, samples }) => {
    expect(speedOf(samples)).toBe(is);
  });

  it('has the remaining time if the program says how many steps there are', () => {
    const samples = [sample(0, 820), sample(4, 840)];
    expect(speedText(samples, trainingJob())).toBe('5 steps/s, done in 3m52s');
    expect(speedText(samples, trainingJob({ steps: undefined }))).toBe('5 steps/s');
    expect(speedText([], trainingJob())).toBe('');
  });
});

describe('the curve of the loss', () => {
  it.each([
    { is: '█▅▁', when: 'it falls', losses: [3, 2, 1], width: 80 },
    { is: '█▁', when: 'there is less room', losses: [4, 2, 1, 1], width: 2 },
    { is: '▁▁', when: 'it does not change', losses: [2, 2], width: 80 },
    { is: '█▁', when: 'a loss was not finite', losses: [3, undefined, 1], width: 80 },
    { is: '', when: 'nothing was seen', losses: [], width: 80 },
  ])('is $is when $when', ({ is, losses, width }) => {
    expect(
      lossCurve(
        losses.map((loss, index) => sample(index, index, loss)),
        width,
      ),
    ).toBe(is);
  });
});

test('a state without another step is no sample', () => {
  const one = withSample([], trainingJob(), 0);
  expect(one).toEqual([{ time: 0, step: 840, loss: 0.123456 }]);
  expect(withSample(one, trainingJob(), 1)).toBe(one);
  expect(withSample(one, trainingJob({ step: undefined }), 1)).toBe(one);
  expect(withSample(one, trainingJob({ step: 841 }), 2)).toHaveLength(2);
});

function recorded(isTTY: boolean) {
  const texts: string[] = [];
  let time = now;
  const screen = trainingScreen(
    { isTTY, columns: 120, rows: 40, write: (text) => texts.push(text) },
    { now: () => (time += 2_000) },
  );
  return { screen, text: () => texts.splice(0).join('') };
}

test('a terminal shows the ranks, the curve of the loss and the speed', () => {
  const { screen, text } = recorded(true);
  screen.saw(trainingJob({ step: 800, loss: 0.5 }));
  text();
  screen.saw(trainingJob());
  const shown = text();
  expect(shown).toContain('loss  █▁\n');
  expect(shown).toMatch(/steps\/s, done in /);
  expect(shown).toContain('2     training  840   digits-2-0  node-2');
  screen.heard({ reason: 'WorkerLost', note: 'Pod digits-2-0 was deleted' });
  expect(text()).toContain('WorkerLost: Pod digits-2-0 was deleted\n');
});

test('elsewhere each change is a line with its time', () => {
  const { screen, text } = recorded(false);
  screen.saw(trainingJob({ faults: [] }));
  expect(
    text()
      .split('\n')
      .map((line) => line.replace(/^\S+ {2}/, '')),
  ).toEqual([
    'ml/digits  phase Running, 3/3 workers, generation 4',
    'ml/digits  checkpoint of step 800',
    'ml/digits  Training=True Training: Training is the reason',
    '',
  ]);
  screen.saw(trainingJob({ faults: [], step: 841 }));
  expect(text()).toBe('');
  screen.saw(trainingJob({ conditions: [condition('Healthy', 'False', 'ProcessFailed')], faults: [restarted] }));
  const lines = text().trimEnd().split('\n');
  expect(lines.map((line) => line.split('  ').slice(1).join('  '))).toEqual([
    'ml/digits  fault ProcessFailed at 2029-12-31T23:58:00Z: signal SIGKILL',
    'ml/digits  Healthy=False ProcessFailed: ProcessFailed is the reason',
  ]);
  expect(lines[0]).toMatch(/^2030-01-01T00:00:\d\d\.000Z {2}/);
});

test.each([
  { code: undefined, when: 'it trains', status: {} },
  { code: 0, when: 'it has succeeded', status: { phase: 'Succeeded', completionTime: '2030-01-01T00:00:00Z' } },
  { code: 1, when: 'it has failed', status: { phase: 'Failed', completionTime: '2030-01-01T00:00:00Z' } },
])('a job ends the command with $code when $when', ({ code, status }) => {
  expect(endCodeOf(trainingJob(status))).toBe(code);
});
