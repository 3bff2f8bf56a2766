import { describe, expect, it } from 'vitest';
import type { AlgorithmResource, AlgorithmStatus } from '../../../../imports/index.js';
import { algorithm, level, trial as trials } from '../../../../operator/controllers/algorithm/index.js';
import { statusTables as levelTables } from '../../../../operator/controllers/algorithm/level/status-tables.js';
import { statusTables } from '../../../../operator/controllers/algorithm/status-tables.js';
import { statusTables as trialTables } from '../../../../operator/controllers/algorithm/trial/status-tables.js';
import { algorithmResource } from './given-algorithm.js';

const now = Date.parse('2026-11-22T12:00:00Z');
const scaling = { minReplicas: 2, maxReplicas: 8, targetCpuPercent: 80, targetLatencyMs: 50 };
const lifecycle = {
  ...{ canaryWeight: 20, successThreshold: 0.99, rollbackOnDrift: true, paused: false },
  latency: { percentile: 99 },
} as unknown as NonNullable<AlgorithmResource['spec']['lifecycle']>;

function shown(status: AlgorithmStatus, spec: Partial<AlgorithmResource['spec']> = {}) {
  return { resource: { ...algorithmResource(spec), status }, objects: [], now };
}

const stable = {
  ...{ image: 'reco:1.0.0', version: '1.0.0', revision: 'reco-a', weight: 80, replicas: 3, readyReplicas: 2 },
  latencyMs: 31.5,
};
const trial = {
  ...{ id: 'reco-b-1', image: 'reco:1.1.0', version: '1.1.0', revision: 'reco-b', since: '2026-11-22T11:00:00Z' },
  ...{ weight: 20, replicas: 1, requests: 1200, success: 0.9925, drift: 0.1 },
  variants: [{ name: 'beta', requests: 10, success: 1, latencyMs: 20 }],
};

it('the tables of an Algorithm, its trials and its service level are all shown', () => {
  expect([algorithm.tables, trials.tables, level.tables]).toEqual([statusTables, trialTables, levelTables]);
});

describe('the tables of an Algorithm', () => {
  it('show its state, the bounds of its replicas, and its host', () => {
    const spec = { scaling, host: 'reco.example.com', gateway: { name: 'public' } };
    expect(statusTables(shown({ phase: 'Running', replicas: 3, readyReplicas: 2 }, spec))).toEqual([
      {
        rows: [
          {
            ...{ PHASE: 'Running', READY: '2/3', MINIMUM: 2, MAXIMUM: 8, 'TARGET CPU': '80 %' },
            ...{ HOST: 'reco.example.com', GATEWAY: 'team/public' },
          },
        ],
      },
    ]);
  });

  it('show the minimum that the latency requires, and a Gateway of another namespace', () => {
    const raised = { scaling: { minReplicas: 5, since: '2026-11-22T11:00:00Z' } };
    const [row] =
      statusTables(shown(raised, { scaling, gateway: { name: 'public', namespace: 'net' } }))[0]?.rows ?? [];
    expect(row).toMatchObject({ READY: undefined, MINIMUM: 5, GATEWAY: 'net/public' });
  });

  it('have no bounds and no host of an Algorithm without them', () => {
    const row = {
      MINIMUM: undefined,
      MAXIMUM: undefined,
      'TARGET CPU': undefined,
      HOST: undefined,
      GATEWAY: undefined,
    };
    expect(statusTables(shown({ replicas: 3 }))).toMatchObject([{ rows: [{ READY: '0/3', ...row }] }]);
  });
});

describe('the tables of the trials of an Algorithm', () => {
  const verdict = {
    ...{ verdict: 'undecided' as const, sentence: '99% is possible', at: '2026-11-22T11:45:00Z' },
    success: { verdict: 'undecided' as const, sentence: '', value: 0.9925, atLeast: 0.9871, count: 1200 },
  };

  it('show both versions, the trial and its measures', () => {
    expect(trialTables(shown({ stable, trial, verdict }, { lifecycle }))).toEqual([
      {
        title: 'Versions',
        rows: [
          {
            ...{ SIDE: 'stable', VERSION: '1.0.0', WEIGHT: '80%', READY: '2/3', REQUESTS: undefined },
            ...{ SUCCESS: undefined, LATENCY: '31.5 ms', DRIFT: undefined },
          },
          {
            ...{ SIDE: 'trial', VERSION: '1.1.0', WEIGHT: '20%', READY: '0/1', REQUESTS: 1200 },
            ...{ SUCCESS: '99.25%', LATENCY: undefined, DRIFT: 0.1 },
          },
          {
            ...{ SIDE: 'variant beta', VERSION: undefined, WEIGHT: 'header', READY: undefined, REQUESTS: 10 },
            ...{ SUCCESS: '100%', LATENCY: '20 ms', DRIFT: undefined },
          },
        ],
      },
      {
        title: 'Trial',
        rows: [
          {
            ...{ TRIAL: 'reco-b-1', STARTED: '1h ago', STEPS: '[20%]', VERDICT: 'undecided (15m ago)' },
            WHY: '99% is possible',
          },
        ],
      },
      {
        title: 'Measures',
        rows: [
          {
            ...{ MEASURE: 'success', VALUE: '99.25%', 'AT WORST': '>= 98.71%', WANTED: '>= 99%' },
            ...{ DISTANCE: '-0.29%', VERDICT: 'undecided' },
          },
        ],
      },
    ]);
  });

  it('show the last three outcomes', () => {
    const entry = { image: 'reco:1', revision: 'reco-a', from: '2026-11-20T12:00:00Z', why: 'Promoted' } as const;
    const history = ['Promoted', 'RolledBack', 'Aborted', 'Promoted'] as const;
    const status = { history: history.map((outcome) => ({ ...entry, outcome, to: '2026-11-21T12:00:00Z' })) };
    const row = { IMAGE: 'reco:1', STARTED: '2d ago', ENDED: '1d ago', WHY: 'Promoted' };
    expect(trialTables(shown(status, { lifecycle }))).toEqual([
      { title: 'History', rows: history.slice(0, 3).map((OUTCOME) => ({ OUTCOME, ...row })) },
    ]);
  });

  it('are empty before the first version is stable', () => {
    expect(trialTables(shown({}, { lifecycle }))).toEqual([]);
  });
});

describe('the tables of the service level of an Algorithm', () => {
  const sla = { availability: 0.999, window: '1h' };

  it('show the availability and the latency, each with its target', () => {
    const status = {
      stable,
      sla: { availability: 0.99951, burnRate: 0.5, requests: 2000, failed: 1, since: '2026-11-22T11:00:00Z' },
      scaling: { minReplicas: 5, since: '2026-11-22T11:50:00Z' },
    };
    expect(levelTables(shown(status, { sla, scaling, lifecycle }))).toEqual([
      {
        title: 'Service level',
        rows: [
          {
            ...{ AVAILABILITY: '99.951%', OBJECTIVE: '99.9%', WINDOW: '1h', 'BURN RATE': 0.5, REQUESTS: 2000 },
            ...{ FAILED: 1, 'MEASURED SINCE': '1h ago' },
          },
        ],
      },
      {
        title: 'Latency',
        rows: [
          {
            ...{ LATENCY: '31.5 ms', TARGET: '50 ms', PERCENTILE: 99, 'MINIMUM REPLICAS': 5, CHANGED: '10m ago' },
          },
        ],
      },
    ]);
  });

  it('show the targets before the first measurement', () => {
    const [level, latency] = levelTables(shown({}, { sla, scaling }));
    expect(level?.rows[0]).toMatchObject({ AVAILABILITY: undefined, OBJECTIVE: '99.9%', 'MEASURED SINCE': '-' });
    expect(latency?.rows[0]).toMatchObject({ LATENCY: undefined, PERCENTILE: 95, 'MINIMUM REPLICAS': 2, CHANGED: '-' });
  });

  it('are empty without a service level and a target latency', () => {
    expect(levelTables(shown({ stable }, { lifecycle }))).toEqual([]);
  });
});
