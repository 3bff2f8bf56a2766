import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RunningComponents } from '../../../../operator/testing/control-plane/running-components.js';

const givenComponents = async (script: string) =>
  new RunningComponents(await mkdtemp(join(tmpdir(), 'components-')), { etcd: ['/bin/sh', '-c', script] });

it('a component that has ended by itself is an error with the end of its log, and its folder can be removed', async () => {
  const components = await givenComponents('echo no space left; exit 3');
  await components.start('etcd', {}).exited;
  await expect(components.assertRunning()).rejects.toThrow('etcd exited with code 3; end of its log:\nno space left');
  await components.dispose();
  expect(existsSync(components.folder)).toBe(false);
});

it('a component gets its flags, and runs in the folder that all share', async () => {
  const components = await givenComponents('echo "$0 $1 in $PWD"');
  const etcd = components.start('etcd', { name: 'a', size: '1' });
  expect(await etcd.exited).toBe(0);
  expect(await etcd.lastLines(1)).toBe(`--name=a --size=1 in ${components.folder}`);
  await components.dispose();
});

it('a component that is not among the binaries cannot be started', async () => {
  const components = await givenComponents('');
  expect(() => components.start('kubectl', {})).toThrow('the binaries do not include kubectl');
  await components.dispose();
});
