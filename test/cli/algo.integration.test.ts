import { beforeAll, beforeEach, expect, test } from 'vitest';
import { install } from '../acceptance/given/operator.js';
import { freshNamespace, givenControlPlane } from '../given/control-plane.js';
import type { Loose } from '../given.js';
import { onTrial, promoted } from './algorithm/given-trial.js';
import { RunningCommand } from './demo/running-command.js';

const controlPlane = givenControlPlane();
let namespace: string;

beforeAll(() => install(controlPlane));
beforeEach(async () => {
  namespace = await freshNamespace(controlPlane);
});

const kubectl = async (args: readonly string[], input?: object) => {
  const options = input === undefined ? {} : { input: JSON.stringify(input) };
  const { code, stdout, stderr } = await controlPlane.kubectl([...args, '--namespace', namespace], options);
  expect(code, stderr).toBe(0);
  return stdout;
};

const read = async () => JSON.parse(await kubectl(['get', 'algorithm', 'reco', '--output=json'])) as Loose<object>;

const command = (...args: readonly string[]) =>
  new RunningCommand(['algo', ...args, '--namespace', namespace, '--kubeconfig', controlPlane.kubeconfig]);

async function algo(...args: readonly string[]) {
  await using running = command(...args);
  const code = await running.exited;
  return { code, stdout: running.stdout, stderr: running.stderr };
}

async function given(lifecycle: object = {}): Promise<void> {
  await kubectl(['apply', '-f', '-'], {
    ...{ apiVersion: 'ai.alien6.io/v1', kind: 'Algorithm', metadata: { name: 'reco' } },
    spec: { image: 'reco:1.1.0', lifecycle },
  });
}

/** Says of the resource what the operator would. */
async function said(status: object): Promise<void> {
  await kubectl([
    'patch',
    'algorithm',
    'reco',
    '--subresource=status',
    '--type=merge',
    '--patch',
    JSON.stringify({ status }),
  ]);
}

const ofGeneration = (generation: number) => ({ ...onTrial, conditions: promoted('Unknown', 'Analyzing', generation) });

test('promote and abort name the trial that runs, in an annotation, and change nothing else', async () => {
  await given();
  await said(ofGeneration(1));
  const before = await read();
  expect(await algo('promote', 'reco')).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: `Algorithm ${namespace}/reco: requested to promote 1.1.0, trial reco-b-1\n`,
  });
  expect(await algo('abort', 'reco')).toMatchObject({ code: 0, stderr: '' });
  const { metadata, spec, status } = await read();
  expect(metadata.annotations['ai.alien6.io/trial']).toBe('abort reco-b-1');
  expect({ spec, status }).toEqual({ spec: before['spec'], status: before['status'] });
});

test('pause and resume write only spec.lifecycle.paused and keep the annotation of a trial', async () => {
  await given({ canaryWeight: 7 });
  await said(ofGeneration(1));
  await algo('abort', 'reco');
  expect(await algo('pause', 'reco')).toMatchObject({ code: 0, stdout: `Algorithm ${namespace}/reco paused\n` });
  const paused = await read();
  expect(paused['spec'].lifecycle).toMatchObject({ canaryWeight: 7, paused: true });
  expect(paused['metadata'].annotations['ai.alien6.io/trial']).toBe('abort reco-b-1');
  expect(await algo('resume', 'reco')).toMatchObject({ code: 0, stdout: `Algorithm ${namespace}/reco resumed\n` });
  expect((await read())['spec'].lifecycle).toMatchObject({ canaryWeight: 7, paused: false });
});

test('promote and abort exit with 2 without an Algorithm or a trial', async () => {
  expect(await algo('promote', 'reco')).toEqual({
    ...{ code: 2, stdout: '' },
    stderr: `reconstruct: Algorithm ${namespace}/reco not found; check the name and --namespace\n`,
  });
  await given();
  expect(await algo('abort', 'reco')).toEqual({
    ...{ code: 2, stdout: '' },
    stderr: `reconstruct: Algorithm ${namespace}/reco has no version on trial, so there is nothing to abort\n`,
  });
});

test('history prints the versions of the status', async () => {
  await given();
  expect(await algo('history', 'reco')).toMatchObject({ code: 0, stdout: 'no versions were tried yet\n' });
  const one = { revision: 'reco-a', image: 'reco:1.0.0', from: '2030-01-01T00:00:00Z' };
  const history = [{ ...one, outcome: 'Promoted', why: 'First version' }];
  await said({ history });
  expect((await algo('history', 'reco')).stdout).toMatch(/\nreco:1\.0\.0 {2}Promoted .* now {2}First version\n$/);
  expect(JSON.parse((await algo('history', 'reco', '--output', 'json')).stdout)).toEqual(history);
});

test('watch prints each change and each event until Ctrl-C', async () => {
  await given();
  await using running = command('watch', 'reco');
  await said(ofGeneration(1));
  await running.said('trial 1.1.0 has 20% of the requests');
  await said({ trial: { ...onTrial.trial, weight: 50 } });
  await running.said('trial 1.1.0 has 50% of the requests');
  const { metadata } = await read();
  await kubectl(['create', '-f', '-'], {
    ...{ apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { name: 'story' } },
    ...{ action: 'Reconcile', eventTime: '2030-01-01T00:00:00.000000Z', reason: 'WeightIncreased', type: 'Normal' },
    ...{ note: 'it gets 50%', reportingController: 'test', reportingInstance: 'test' },
    regarding: { apiVersion: 'ai.alien6.io/v1', kind: 'Algorithm', name: 'reco', namespace, uid: metadata.uid },
  });
  await running.said('WeightIncreased: it gets 50%');
  running.signal('SIGINT');
  expect(await running.exited, running.stderr).toBe(0);
});

test.each([
  { what: 'a promotion', conditions: promoted('True', 'Stable', 1), code: 0 },
  { what: 'a version that is taken back', conditions: promoted('False', 'RolledBack', 1), code: 1 },
])(
  'watch --until-done ends with $code after $what, and as JSON says nothing of what is for the operator',
  async ({ conditions, code }) => {
    await given();
    await said(ofGeneration(1));
    await using running = command('watch', 'reco', '--until-done', '--output', 'json');
    await running.said('"Analyzing"');
    await said({ conditions });
    expect(await running.exited, running.stderr).toBe(code);
    const states = running.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Loose<object>);
    expect(states.at(-1)).toMatchObject({ namespace, name: 'reco', trial: { id: 'reco-b-1', weight: 20 } });
    expect(running.stdout).not.toContain('secret');
  },
);

test('watch --until-done exits with 2 if the resource is deleted or has no lifecycle', async () => {
  await given();
  await said(ofGeneration(1));
  await using running = command('watch', 'reco', '--until-done');
  await running.said('Analyzing');
  await kubectl(['delete', 'algorithm', 'reco']);
  expect(await running.exited).toBe(2);
  expect(running.stderr).toBe(`reconstruct: Algorithm ${namespace}/reco was deleted\n`);
  await kubectl(['apply', '-f', '-'], {
    ...{ apiVersion: 'ai.alien6.io/v1', kind: 'Algorithm', metadata: { name: 'plain' } },
    spec: { image: 'reco:1.1.0' },
  });
  expect(await algo('watch', 'plain', '--until-done')).toMatchObject({ code: 2, stdout: '' });
}, 300_000);
