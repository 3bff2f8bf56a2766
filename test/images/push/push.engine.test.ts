import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { debianProgram } from '../../given/debian-program.js';
import { builders, buildLine } from '../builder.js';
import { pushImage } from '../push-images.js';
import { endedCommand, runCommand } from '../run-command.js';
import { givenRegistry } from './given-registry.js';

const found = await debianProgram('docker-registry');
const builder = builders.find((one) => spawnSync(one, ['info']).status === 0);
const absent =
  'absent' in found ? found.absent : builder === undefined ? `none of ${builders.join(', ')} runs` : undefined;
if (absent !== undefined) console.warn(`skipped: ${absent}`);
const program = 'program' in found ? found.program : '';

const image = 'registry.alien6.io/reconstruct/pushed-by-a-test:1.0.0';
const folder = mkdtempSync(join(tmpdir(), 'push-'));

/** An image with one small file, of no base. */
beforeAll(() => {
  if (absent !== undefined || builder === undefined) return;
  writeFileSync(join(folder, 'Dockerfile'), 'FROM scratch\nCOPY hello /\n');
  writeFileSync(join(folder, 'hello'), 'hello');
  runCommand(buildLine(builder, { name: image, folder, base: 'DEBIAN_IMAGE' }));
});
afterAll(() => {
  if (absent === undefined && builder !== undefined) spawnSync(builder, ['rmi', image]);
  rmSync(folder, { recursive: true, force: true });
});

const pushed = (registry: string, isInsecure: boolean) =>
  pushImage(image, { builder: builder ?? 'docker', registry, isInsecure }, endedCommand);

test.skipIf(absent !== undefined)('an image arrives in a registry under its name and tag, below a path', async () => {
  await using registry = await givenRegistry(program);
  expect(pushed(`${registry.host}/mirror/of-a-team`, true)).toBe(
    `${registry.host}/mirror/of-a-team/pushed-by-a-test:1.0.0`,
  );
  const tags = await fetch(`http://${registry.host}/v2/mirror/of-a-team/pushed-by-a-test/tags/list`);
  expect(await tags.json()).toEqual({ name: 'mirror/of-a-team/pushed-by-a-test', tags: ['1.0.0'] });
});

test.skipIf(absent !== undefined || builder === 'docker')(
  'a registry without TLS is refused, with the option',
  async () => {
    await using registry = await givenRegistry(program);
    expect(() => pushed(registry.host, false)).toThrow(/was not pushed: 127\.0\.0\.1:\d+ has no TLS; add --insecure/);
  },
);

test.skipIf(absent !== undefined)('a registry that wants a login is named, with the command', async () => {
  await using registry = await givenRegistry(program, { isClosed: true });
  expect(() => pushed(registry.host, true)).toThrow(
    `run ${builder} login ${registry.host} with an account that may push`,
  );
});
