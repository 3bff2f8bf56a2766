import { expect, test } from 'vitest';
import { historyTable } from '../../../cli/algorithm/history.js';
import { asText, changesSince } from '../../../cli/algorithm/output.js';
import { viewOf, wrappedLines } from '../../../cli/algorithm/view.js';
import { measuresOf } from '../../../operator/controllers/algorithm/trial/tables/measures.js';
import { algorithm, onTrial } from './given-trial.js';

const verdict = {
  ...{ verdict: 'undecided' as const, sentence: 'this may be 99% or not', at: '2030-01-01T00:01:00Z' },
  success: {
    ...{ verdict: 'undecided' as const, sentence: 'it may be', value: 0.9925, atLeast: 0.9871, atMost: 0.9962 },
    count: 1200,
  },
  latency: {
    ...{ verdict: 'good' as const, sentence: 'quick', value: 0.0314, atLeast: 0.025, atMost: 0.05, count: 1200 },
  },
  drift: { ...{ verdict: 'bad' as const, sentence: 'far', value: 0.3, atLeast: 0.25, atMost: 0.35, count: 1200 } },
};

const judgedBy = { latency: { percentile: 95 }, drift: { metric: 'score', method: 'PSI', threshold: 0.2 } };

test('shows both sides, the measures with their distance, the steps and what is said', () => {
  const steps = [
    { weight: 5, for: '2m' },
    { weight: 20, for: '0s' },
    { weight: 50, for: '10m' },
  ];
  const status = { ...onTrial, verdict };
  expect(viewOf(algorithm(status, { ...judgedBy, steps }))).toEqual([
    'team/reco  Trial  trial reco-b-1 since 2030-01-01T00:00:00Z',
    '',
    '        VERSION  WEIGHT  READY  REQUESTS  SUCCESS  LATENCY  DRIFT',
    'stable  1.0.0    80%     3/3    -         -        -        -',
    'trial   1.1.0    20%     1/1    1200      99.25%   -        -',
    '',
    'MEASURE      VALUE    AT WORST   WANTED    DISTANCE  VERDICT',
    'success      99.25%   >= 98.71%  >= 99%    -0.29%    undecided',
    'latency p95  31.4 ms  <= 50 ms   <= 50 ms  +0 ms     good',
    'drift PSI    0.3      <= 0.35    <= 0.2    -0.15     bad',
    '',
    'steps  5% for 2m -> [20%] -> 50% for 10m',
    '',
    'Promoted  Analyzing  it says so',
    'Verdict   undecided  this may be 99% or not',
  ]);
});

test('wraps the sentences to the width that there is, and no table', () => {
  const sentence = '99.25% of 1200 requests succeeded, between 98.71% and 99.62%, and 99% is wanted';
  const lines = viewOf(algorithm({ ...onTrial, verdict: { ...verdict, sentence } }, judgedBy), 59);
  expect(lines.slice(-5)).toEqual([
    '',
    'Promoted  Analyzing  it says so',
    'Verdict   undecided  99.25% of 1200 requests succeeded,',
    '                     between 98.71% and 99.62%, and 99% is',
    '                     wanted',
  ]);
  expect(lines).toContain('success      99.25%   >= 98.71%  >= 99%    -0.29%    undecided');
});

test.each([
  { text: 'a bb ccc', width: 4, lines: ['a bb', 'ccc'] },
  { text: 'abcdefg h', width: 3, lines: ['abc', 'def', 'g h'] },
  { text: '', width: 3, lines: [''] },
  { text: 'as it is', width: Number.POSITIVE_INFINITY, lines: ['as it is'] },
])('wraps "$text" at $width', ({ text, width, lines }) => {
  expect(wrappedLines(text, width)).toEqual(lines);
});

test.each([
  {
    says: 'with its time',
    where: 'elsewhere',
    isTTY: false,
    line: '2030-01-01T00:00:00.000Z  team/reco  Judged: well\n',
  },
  { says: 'without', where: 'on a terminal', isTTY: true, line: 'team/reco  Judged: well\n' },
])('tells an event $says $where', ({ isTTY, line }) => {
  const written: string[] = [];
  const output = { isTTY, write: (text: string) => written.push(text) };
  const now = () => Date.parse('2030-01-01T00:00:00Z');
  asText({ namespace: 'team', name: 'reco' }, output, { now }).heard({ reason: 'Judged', note: 'well' });
  expect(written).toEqual([line]);
});

test('shows the numbers of each variant apart', () => {
  const variants = [{ name: 'b', requests: 12, success: 1 }];
  const { trial } = onTrial;
  const lines = viewOf(algorithm({ ...onTrial, ...(trial && { trial: { ...trial, variants } }) }));
  expect(lines.find((line) => line.startsWith('variant'))).toBe(
    'variant b  -        header  -      12        100%     -        -',
  );
});

test('shows no version on trial in a bake', () => {
  const { version: _, weight: __, ...trial } = { id: '', image: '', revision: '', since: '', ...onTrial.trial };
  const lines = viewOf(algorithm({ ...onTrial, trial }));
  expect(lines.filter((line) => /^(trial|steps) /.test(line))).toEqual([]);
});

test.each([
  { when: 'the operator has not looked yet', status: undefined, heading: 'team/reco  Pending' },
  { when: 'nothing is on trial', status: { phase: 'Running' as const }, heading: 'team/reco  Running' },
])('shows what there is when $when', ({ status, heading }) => {
  expect(viewOf(algorithm(status))).toEqual([heading, '']);
});

test.each([
  { why: 'latency is not judged', lifecycle: { drift: judgedBy.drift }, names: ['success', 'drift PSI'] },
  { why: 'drift is not judged', lifecycle: { latency: { percentile: 99 } }, names: ['success', 'latency p99'] },
  { why: 'there is no lifecycle any more', lifecycle: null, names: [] },
])('leaves out a measure because $why', ({ lifecycle, names }) => {
  expect(measuresOf(algorithm({ ...onTrial, verdict }, lifecycle)).map(({ name }) => name)).toEqual(names);
});

test('leaves a distance open where there is no bound', () => {
  const success = { verdict: 'missing' as const, sentence: 'nobody tells', count: 0 };
  const [measure] = measuresOf(algorithm({ ...onTrial, verdict: { ...verdict, success } }));
  expect(measure).toMatchObject({ value: '-', atWorst: '-', distance: '-', verdict: 'missing' });
});

test('the log shows each change once', () => {
  const before = algorithm({ ...onTrial, verdict });
  const { trial } = onTrial;
  const after = algorithm({ ...onTrial, ...(trial && { trial: { ...trial, weight: 50, requests: 1300 } }), verdict });
  expect(changesSince(undefined, before)).toEqual([
    'phase Trial',
    'stable 1.0.0 has 80% of the requests',
    'trial 1.1.0 has 20% of the requests',
    'verdict undecided: this may be 99% or not',
    'Promoted=Unknown Analyzing: it says so',
  ]);
  expect(changesSince(before, after)).toEqual(['trial 1.1.0 has 50% of the requests']);
  expect(changesSince(after, after)).toEqual([]);
});

test('lists the versions that were tried, the newest first', () => {
  const one = { revision: 'reco-a', image: 'reco:1.0.0', from: '2030-01-01T00:00:00Z', why: 'First version' };
  const two = { ...one, image: 'reco:1.1.0', to: '2030-01-02T00:00:00Z', why: '96% of 300 requests succeeded' };
  const history = [
    { ...two, outcome: 'RolledBack' as const },
    { ...one, outcome: 'Promoted' as const },
  ];
  expect(historyTable(algorithm({ history }))).toEqual([
    'IMAGE       OUTCOME     FROM                  TO                    WHY',
    'reco:1.1.0  RolledBack  2030-01-01T00:00:00Z  2030-01-02T00:00:00Z  96% of 300 requests succeeded',
    'reco:1.0.0  Promoted    2030-01-01T00:00:00Z  now                   First version',
  ]);
  expect(historyTable(algorithm(undefined))).toEqual(['no versions were tried yet']);
});

test('a history escapes control characters in the name of an image', () => {
  const history = [{ revision: 'r', image: 'a:\x1b]0;b\x07', from: 'x', outcome: 'Promoted' as const, why: 'y\nz' }];
  expect(historyTable(algorithm({ ...onTrial, history })).at(-1)).toBe(
    'a:\\u001b]0;b\\u0007  Promoted  x     now  y\\u000az',
  );
});
