import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { at, endAll, refusal, started, text, useLauncher } from './launcher.js';

useLauncher();

describe('a volume', () => {
  const first = '1000@a:9090:AAAAAAAAAAAAAAAAAAAAAA';
  const controller = { KAFKA_ROLE: 'controller', KAFKA_INITIAL_CONTROLLERS: first };
  const combined = {
    KAFKA_NODE_PROPERTIES: 'node.id=1\nprocess.roles=broker,controller',
    KAFKA_INITIAL_CONTROLLERS: first,
  };
  test.each([
    { has: '--no-initial-controllers', when: 'it is the one of a broker', env: { KAFKA_INITIAL_CONTROLLERS: first } },
    { has: '--no-initial-controllers', when: 'a controller joins a quorum', env: { KAFKA_ROLE: 'controller' } },
    { has: `--initial-controllers=${first}`, when: 'the first controllers begin', env: controller },
    { has: `--initial-controllers=${first}`, when: 'a broker is one of the first controllers', env: combined },
    {
      has: '--no-initial-controllers',
      when: 'a broker that is a controller joins a quorum',
      env: { ...combined, KAFKA_INITIAL_CONTROLLERS: '' },
    },
    { has: '--release-version=4.3-IV0', when: 'a level is wanted', env: { KAFKA_METADATA_VERSION: '4.3-IV0' } },
    { has: '--cluster-id=-ours', when: 'the identifier begins with a dash', env: {} },
  ])('is formatted with $has when $when', async ({ has, env }) => {
    await started(env as object as Record<string, string>);
    expect((await text('run/format')).split('\n')).toContain(has);
  });

  test('is formatted once', async () => {
    await started();
    await endAll();
    await rm(at('run'), { recursive: true });
    await started();
    expect(existsSync(at('run/format'))).toBe(false);
  });

  test.each([
    {
      says: 'the volume belongs to the Kafka cluster theirs, not to -ours: use a volume of this cluster, or an empty one',
      when: 'it is of another cluster',
      files: { 'meta.properties': 'version=1\ncluster.id=theirs\nnode.id=1\n' },
    },
    {
      says: 'the volume belongs to the node 2 of this Kafka cluster, not to 1: use its own volume, or an empty one',
      when: 'it is of another node',
      files: { 'meta.properties': 'version=1\ncluster.id=-ours\nnode.id=2\n' },
    },
    {
      says: 'the volume has records of Kafka, but no meta.properties: restore that file, or use an empty volume',
      when: 'it lost its identity',
      files: { 'orders-0/00000000000000000000.log': '' },
    },
  ])('is refused and not formatted when $when', async ({ says, files }) => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(join(at('data'), name, '..'), { recursive: true });
      await writeFile(join(at('data'), name), content);
    }
    expect(await refusal()).toBe(says);
    expect(existsSync(at('run/format'))).toBe(false);
  });

  test('is formatted anew after an interrupted format', async () => {
    await mkdir(at('data/__cluster_metadata-0'));
    await writeFile(at('data/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint'), '');
    await started(controller);
    expect(existsSync(at('run/format'))).toBe(true);
  });

  describe('of a broker that ended before its first record of the metadata log', () => {
    const folder = 'data/__cluster_metadata-0';
    const state = `${folder}/quorum-state`;
    beforeEach(async () => {
      await writeFile(at('data/meta.properties'), 'version=1\ncluster.id=-ours\nnode.id=1\n');
      await mkdir(at(folder), { recursive: true });
      for (const [name, content] of Object.entries({ 'quorum-state': '{"leaderId":1000}', '00.log': '' }))
        await writeFile(at(`${folder}/${name}`), content);
    });

    test('no longer has the leader, with which Kafka cannot start', async () => {
      await started();
      expect(existsSync(at(state))).toBe(false);
    });

    test.each([
      { when: 'it has a record', file: '00.log', env: {} },
      { when: 'it has a snapshot', file: '00-01.checkpoint', env: {} },
      { when: 'it is the one of a controller', file: 'partition.metadata', env: controller },
      { when: 'its broker is a controller', file: 'partition.metadata', env: combined },
    ])('stays as it is when $when', async ({ file, env }) => {
      await writeFile(at(`${folder}/${file}`), 'content');
      await started(env as object as Record<string, string>);
      expect(await text(state)).toBe('{"leaderId":1000}');
    });
  });

  describe('beside others', () => {
    const both = () => ({
      KAFKA_NODE_PROPERTIES: `node.id=1\nlisteners=REPLICATION://:9091\nlog.dirs=${at('data')},${at('fast/data')}\n`,
    });
    const formatted = async () => (await text('run/format')).split('\n');
    const used = 'version=1\ncluster.id=-ours\nnode.id=1\n';

    test('is formatted with them', async () => {
      await started(both());
      expect(await formatted()).not.toContain('--ignore-formatted');
      expect(existsSync(at('fast/data'))).toBe(true);
    });

    test('is formatted alone if it was added later', async () => {
      await writeFile(at('data/meta.properties'), used);
      await started(both());
      expect(await formatted()).toContain('--ignore-formatted');
    });

    test('is formatted once', async () => {
      await mkdir(at('fast/data'), { recursive: true });
      for (const each of ['data', 'fast/data']) await writeFile(at(`${each}/meta.properties`), used);
      await started(both());
      expect(existsSync(at('run/format'))).toBe(false);
    });

    test.each([
      {
        says: 'the volume belongs to the node 2',
        files: { 'meta.properties': used.replace('node.id=1', 'node.id=2') },
      },
      { says: 'the volume has records of Kafka', files: { 'orders-0/0.log': '' } },
    ])('is refused: $says', async ({ says, files }) => {
      await writeFile(at('data/meta.properties'), used);
      for (const [name, content] of Object.entries(files)) {
        await mkdir(join(at('fast/data'), name, '..'), { recursive: true });
        await writeFile(join(at('fast/data'), name), content as string);
      }
      expect(await refusal(both())).toContain(says);
      expect(existsSync(at('run/format'))).toBe(false);
    });
  });

  test('that cannot be formatted ends the node with the reason and without the stack', async () => {
    expect(await refusal({ FAILS: '1' })).toBe('the volume cannot be formatted: Exception in thread "main" a reason');
  });
});
