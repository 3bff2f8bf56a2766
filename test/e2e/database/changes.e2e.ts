import { beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseSpecInput } from '../../../imports/index.js';
import { until } from '../../chaos/wait.js';
import { projectImage } from '../../images/project-images.js';
import { figure, seconds } from '../algorithm/figure.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import type { LivePod } from '../cluster/kinds.js';
import { noPrimaryGoes, oneAway, type Rule, seenDuring } from './given/observed-moments.js';
import { isWell, said, small, TriedDatabase } from './given/tried-database.js';
import { nothing, told, Witnesses } from './given/witnesses.js';

const namespace = givenNamespace('changed');
const missing = projectImage('postgres', '15.0');
const old = projectImage('postgres', '15.18');
const current = projectImage('postgres', '15.20');

describe('a change of a Database', () => {
  const orders = new TriedDatabase(namespace, 'orders', { ...small, image: old });
  const witnesses = new Witnesses(orders);
  beforeAll(() => orders.begin());

  /** Whether another Pod was made of it, by its name. */
  const replacedIn = async (before: readonly LivePod[]) => {
    const uids = before.map(({ metadata }) => metadata.uid);
    return (await orders.pods())
      .filter(({ metadata }) => !uids.includes(metadata.uid))
      .map(({ metadata }) => metadata.name);
  };

  test('lines 5 and 12: an image that does not exist stops at the first replica and says why, and it serves on', async () => {
    const before = await orders.pods();
    const primary = await orders.primary();
    const writer = await witnesses.write('bad image');
    await orders.apply({ image: missing });
    await orders.until('it is stuck', (database) => said(database, 'UpToDate').startsWith('UpdateStalled'), 120);
    figure(5, `a bad image: ${said(await orders.live(), 'UpToDate')}`);
    await writer.untilRows(500);
    const replaced = await replacedIn(before);
    expect(replaced).toHaveLength(1);
    expect(replaced).not.toContain(primary.metadata.name);
    expect(said(await orders.live(), 'UpToDate')).toContain(`the image ${missing} cannot be pulled`);
    await writer.stop();
    expect(await witnesses.lost()).toEqual([]);
  });

  test('line 5: an update replaces the broken instance first, then the replicas, and the primary last', async () => {
    const before = await orders.pods();
    const [broken = ''] = before
      .filter(({ spec }) => spec.containers.some(({ image }) => image === missing))
      .map(({ metadata }) => metadata.name);
    const primary = await orders.primary();
    const order = orderIn(before);
    const rule: Rule = (moment) => order.look(moment) ?? noPrimaryGoes(moment) ?? oneAway(3)(moment);
    const began = Date.now();
    const writer = await witnesses.write('good image');
    const seen = await seenDuring(orders, rule, async () => {
      await orders.apply({ image: current });
      await orders.until('every instance has it', isWell, 240);
    });
    await writer.untilRows(50);
    await writer.stop();
    figure(5, `15.18 to 15.20 in ${seconds(began, Date.now())}: ${order.names.join(', ')}`);
    expect(seen).toEqual([]);
    expect(order.names).toHaveLength(3);
    expect([order.names[0], order.names[2]]).toEqual([broken, primary.metadata.name]);
    expect(await witnesses.lost()).toEqual([]);
    expect((await orders.live()).status).toMatchObject({ version: '15.20' });
    expect(await orders.sql('SHOW server_version')).toMatch(/^15\.20/);
  });

  /** Whether every instance answers a query so; one that is away does not. */
  const isEverywhere = async (asked: string, is: string) => {
    const pods = await orders.pods();
    const answers = await Promise.all(pods.map(({ metadata }) => orders.sql(asked, metadata.name).catch(() => '')));
    return answers.length === 3 && answers.every((answer) => answer === is);
  };

  test.each<{ what: string; change: Partial<DatabaseSpecInput>; asked: string; is: string }>([
    {
      what: 'a parameter that takes a restart',
      change: { parameters: { max_connections: '120' } },
      asked: 'SHOW max_connections',
      is: '120',
    },
    {
      what: 'other resources',
      change: { resources: { requests: { cpu: '60m', memory: '512Mi' } } },
      asked: 'SHOW shared_buffers',
      is: '128MB',
    },
  ])(
    'line 5: $what goes to the replicas first and to the primary last, and never are two away',
    async ({ what, change, asked, is }) => {
      const before = await orders.pods();
      const primary = await orders.primary();
      const order = orderIn(before);
      const rule: Rule = (moment) => order.look(moment) ?? noPrimaryGoes(moment) ?? oneAway(3)(moment);
      let seen: readonly string[] = [];
      const began = Date.now();
      const endured = await witnesses.endure(what, async () => {
        seen = await seenDuring(orders, rule, async () => {
          await orders.apply(change);
          // That a parameter takes a restart is known once Patroni has tried it.
          await until(() => isEverywhere(asked, is), { what: `${asked} tells ${is}`, within: 240_000, every: 1000 });
          await orders.until('it is well', isWell, 240);
        });
      });
      figure(5, `${what} in ${seconds(began, Date.now())}: ${told(endured)}`);
      expect(seen).toEqual([]);
      expect(endured).toMatchObject(nothing);
      // The primary restarts as it hands over, and may need no other Pod then.
      expect(order.names.slice(0, 2)).not.toContain(primary.metadata.name);
      expect(order.names.length).toBeGreaterThanOrEqual(2);
      expect((await orders.primary()).metadata.name).not.toBe(primary.metadata.name);
    },
  );

  test('line 5: a lower limit is taken by the primary first, in place, and by the replicas after it', async () => {
    const primary = await orders.primary();
    const endured = await witnesses.endure('lower limit', async () => {
      await orders.apply({ parameters: { max_connections: '90' } });
      const isLower = () => isEverywhere('SHOW max_connections', '90');
      await until(isLower, { what: 'every instance has it', within: 240_000, every: 1000 });
    });
    figure(5, `a lower limit: ${told(endured)}`);
    expect(endured).toMatchObject(nothing);
    expect((await orders.primary()).metadata).toMatchObject({ name: primary.metadata.name, uid: primary.metadata.uid });
  });
});

/** Keeps in which order the Pods of instances are replaced. */
function orderIn(before: readonly LivePod[]): {
  readonly names: readonly string[];
  look: (moment: { pods: readonly LivePod[] }) => undefined;
} {
  const old = new Set(before.map(({ metadata }) => metadata.uid));
  const names: string[] = [];
  const look = ({ pods }: { readonly pods: readonly LivePod[] }) => {
    for (const { metadata } of pods.filter(({ metadata }) => !old.has(metadata.uid))) {
      if (!names.includes(metadata.name)) names.push(metadata.name);
    }
    return undefined;
  };
  return { names, look };
}
