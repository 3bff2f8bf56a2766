import { describe, expect, test, vi } from 'vitest';
import type { AlgorithmSpecInput } from '../../imports/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { Audit, quiet } from './given/audit.js';
import { givenOperator } from './given/operator.js';
import { childKinds, Site } from './given/site.js';

const spec: AlgorithmSpecInput = { image: 'server:1', config: { a: 'a' }, scaling: { maxReplicas: 5 } };

givenOperator(givenControlPlane);

async function siteWith(...names: readonly string[]): Promise<Site> {
  const site = await Site.fresh(givenControlPlane(), 'leaving');
  await Promise.all(names.map((name) => site.bring(name, spec)));
  expect((await site.owned()).size).toBe(childKinds.length * names.length);
  return site;
}

describe('a resource that is deleted', () => {
  test.concurrent.each(['background', 'foreground'])('leaves nothing, with --cascade=%s', async (cascade) => {
    const site = await siteWith('reco', 'other');
    await quiet(site.controlPlane, site.namespace);
    const audit = await Audit.from(site.controlPlane);
    const command = ['delete', 'algo', 'reco', '-n', site.namespace, `--cascade=${cascade}`];
    expect(await site.controlPlane.kubectl(command)).toMatchObject({ code: 0 });

    const left = async () => [...(await site.owned()).keys()].filter((key) => key.endsWith(' reco'));
    await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 120_000 }); // a new collector begins after half a minute
    expect(await site.algorithm('reco')).toBeUndefined();
    await quiet(site.controlPlane, site.namespace);
    // Two watches: that a child is gone may arrive before the deletion of its resource. It is then made once, and collected.
    const made = (await audit.writes(site.namespace)).filter((write) => write.startsWith('create'));
    expect(made).toEqual([...new Set(made)]);
    expect((await site.owned()).size).toBe(childKinds.length);
  });

  test('leaves all of it with --cascade=orphan, and gets it back untouched when it is made again', async () => {
    const site = await siteWith('reco');
    const uids = async () => {
      const pages = await Promise.all(childKinds.map((kind) => site.read(kind, 'reco')));
      return pages.map((object) => object?.metadata.uid);
    };
    const before = await uids();
    const command = ['delete', 'algo', 'reco', '-n', site.namespace, '--cascade=orphan'];
    expect(await site.controlPlane.kubectl(command)).toMatchObject({ code: 0 });
    expect((await site.owned()).size).toBe(0);
    await site.bring('reco', spec);
    expect((await site.owned()).size).toBe(childKinds.length);
    expect(await uids()).toEqual(before);
  });

  test('and made again at once has all of its objects anew', async () => {
    const site = await siteWith('reco');
    const first = await site.algorithm('reco');
    expect(await site.controlPlane.kubectl(['delete', 'algo', 'reco', '-n', site.namespace])).toMatchObject({
      code: 0,
    });
    const again = await site.apply('reco', spec);
    expect(again.metadata.uid).not.toBe(first?.metadata.uid);
    const owners = async () => {
      const owned = [...(await site.owned()).values()];
      return owned.filter((object) => object.metadata.ownerReferences?.[0]?.uid === again.metadata.uid).length;
    };
    await vi.waitFor(async () => expect(await owners()).toBe(childKinds.length), { timeout: 120_000 });
  });
});

test('a namespace that is deleted ends, and nothing is made in it again', async () => {
  const site = await siteWith(...Array.from({ length: 10 }, (_, index) => `reco-${index}`));
  await quiet(site.controlPlane, site.namespace);
  const audit = await Audit.from(site.controlPlane);
  const command = ['delete', 'namespace', site.namespace, '--timeout=120s'];
  expect(await site.controlPlane.kubectl(command)).toMatchObject({ code: 0 });

  const made = (await audit.requests()).filter(({ verb, code }) => verb === 'create' && code < 300);
  expect(made.filter(({ namespace }) => namespace === site.namespace)).toEqual([]);
});
