import { afterEach } from 'vitest';
import { World } from './given-world.js';

/**
 * Makes worlds with one Algorithm in them, each closed after its test.
 * @param seconds how long it has been there when the test begins
 */
export function givenAlgorithm(seconds: number): (...args: Parameters<typeof World.with>) => Promise<World> {
  let world: World | undefined;
  afterEach(async () => {
    await world?.close();
    world = undefined;
  });
  return async (...args) => {
    world = await World.with(...args);
    await world.pass(seconds);
    return world;
  };
}
