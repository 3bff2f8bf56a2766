import { describe, expect, it } from 'vitest';
import { givenAlgorithm } from '../given-algorithm.js';
import { lifecycle, type World } from '../given-world.js';

const first = { image: 'reco:1', replicas: 5, lifecycle };
const second = { ...first, image: 'reco:2' };
const paused = { ...lifecycle, paused: true };

const given = givenAlgorithm(30);

/** Every message that `Promoted` had for a reason, each once in a row. */
async function saidDuring(algorithm: World, seconds: number, until: () => boolean = () => false) {
  const said: string[] = [];
  await algorithm.pass(seconds, () => {
    const promoted = algorithm.condition('Promoted');
    const one = `${promoted?.['reason']}: ${promoted?.['message']}`;
    if (said.at(-1) !== one) said.push(one);
    return until();
  });
  return said;
}

describe('what is said of a version', () => {
  it('tells of a promotion and of its bake what is the matter then', async () => {
    const algorithm = await given(first);
    await algorithm.apply(second);
    await algorithm.pass(300, () => algorithm.condition('Promoted')?.['reason'] === 'Analyzing');
    const said = await saidDuring(algorithm, 300, () => algorithm.condition('Promoted')?.['reason'] === 'Stable');
    expect(said.filter((one) => one.startsWith('Promoting'))[0]).toMatch(
      /^Promoting: The stable Pods are being updated to 2: \d of 5 replicas of the current spec are ready$/,
    );
    const baking = '2 is the stable version; a bad verdict still rolls back to 1 until its bake of 2m ends';
    expect(said.filter((one) => one.startsWith('Baking'))).toEqual([
      `Baking: ${baking}`,
      ...Array(said.filter((one) => one.startsWith('Baking')).length - 1).fill(
        expect.stringMatching(new RegExp(`^Baking: ${baking}: .*requests`)),
      ),
    ]);
    expect(algorithm.events).toContain(`Baking: ${baking}`);
    expect(algorithm.events).toContainEqual(expect.stringMatching(/^BakeCompleted: Kept 2 as/));
  });

  it('names no version on trial in a bake, whose trial it remembers all the same', async () => {
    const algorithm = await given(first);
    await algorithm.apply(second);
    await algorithm.pass(300, () => algorithm.condition('Promoted')?.['reason'] === 'Baking');
    await algorithm.pass(60, () => algorithm.deployment('trial') === undefined);
    await algorithm.pass(1);
    expect(algorithm.status).toMatchObject({ stable: { version: '2', weight: 100 }, trial: { image: 'reco:2' } });
    expect([algorithm.status['trial'].version, algorithm.status['trial'].weight]).toEqual([undefined, undefined]);
    algorithm.behaviours = { 'reco:2': { failing: 0.2 } };
    await algorithm.pass(90, () => algorithm.imageOf('stable') === 'reco:1');
    await algorithm.pass(3);
    expect(algorithm.status).toMatchObject({ stable: { version: '1' }, trial: { version: '2', weight: 0 } });
  });

  it.each([
    { changes: { rollbackOnDrift: false }, says: 'no verdict rolls back to 1 until its bake of 2m ends' },
    { changes: { paused: true }, says: 'no verdict rolls back to 1 while it is paused' },
  ])('tells that nothing goes back in a bake with $changes', async ({ changes, says }) => {
    const algorithm = await given(first);
    await algorithm.apply(second);
    await algorithm.pass(300, () => algorithm.condition('Promoted')?.['reason'] === 'Baking');
    await algorithm.apply({ ...second, lifecycle: { ...lifecycle, ...changes } });
    await algorithm.pass(3);
    expect(algorithm.condition('Promoted')?.['message']).toContain(says);
  });

  it('tells what keeps pods as long as it does, and no longer', async () => {
    const hindrance = 'the container does not pass its probe';
    const algorithm = await given(first, { behaviours: { 'reco:2': { crashes: true } }, hindrance });
    await algorithm.apply(second);
    await algorithm.pass(25);
    expect(algorithm.condition('Promoted')).toMatchObject({
      reason: 'Starting',
      message: expect.stringContaining(hindrance),
    });
    algorithm.behaviours = {};
    const said = await saidDuring(algorithm, 20);
    const judging = said.filter((one) => one.startsWith('Analyzing'));
    expect(judging.length).toBeGreaterThan(1);
    expect(judging.join()).not.toContain('its pods');
    expect(judging.join()).not.toContain(hindrance);
  });

  it('tells that it is paused, with what share, and what is known by then', async () => {
    const hindrance = 'the container exits with code 1';
    const algorithm = await given(first, { behaviours: { 'reco:2': { crashes: true } }, hindrance });
    await algorithm.apply(second);
    await algorithm.pass(15);
    await algorithm.apply({ ...second, lifecycle: paused });
    await algorithm.pass(15);
    const message = () => algorithm.condition('Promoted')?.['message'];
    const none = 'The trial is paused: the new version gets no requests, and the timers are stopped';
    expect(message()).toBe(`${none}. 0 of 1 replicas of the current spec are ready: ${hindrance}`);
    algorithm.behaviours = {};
    await algorithm.pass(15);
    expect(message()).toBe(none);
    await algorithm.apply(second);
    await algorithm.pass(25);
    await algorithm.apply({ ...second, lifecycle: paused });
    await algorithm.pass(15);
    expect(message()).toMatch(
      /^The trial is paused: the new version keeps 20% of the requests, and the timers are stopped\. .* requests/,
    );
    await algorithm.apply(second);
    await algorithm.pass(2);
    expect(message()).not.toContain('paused');
  });
});
