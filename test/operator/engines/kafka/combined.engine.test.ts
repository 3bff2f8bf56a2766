import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GivenKafka, identityOf, kafkaAbsence } from '../../../given/kafka.js';
import { shownSerial } from '../../../images/kafka/handshake.js';
import { AcknowledgedRecords } from './acknowledged-records.js';
import { GivenEngine } from './given-engine.js';

const absence = await kafkaAbsence();
/** Kafka's defaults, which the records below are to wait for. */
const config = { 'broker.session.timeout.ms': '9000', 'broker.heartbeat.interval.ms': '2000' };
const partitions = 3;

// The tests change one cluster, so they run in order.
describe.skipIf(absence !== undefined)('a cluster of three brokers that are its controllers', () => {
  let kafka: GivenKafka;
  let engine: GivenEngine;
  const quorum = async () => (await engine.cluster()).quorum;
  const voters = async () => (await quorum()).voters.map(({ id }) => id).sort();
  const isWhole = {
    partitions: { underReplicated: 0, offline: 0 },
    brokers: [0, 1, 2].map((id) => ({ id, isFenced: false })),
  };
  const untilWhole = () => expect.poll(() => engine.cluster().catch(String)).toMatchObject(isWhole);

  beforeAll(async () => {
    kafka = await GivenKafka.start({ combined: true, brokers: 3, config });
    engine = new GivenEngine(kafka.operator, () => kafka.bootstrap);
    const create = { act: 'create', partitions, replication: 3, config: { 'min.insync.replicas': '2' } } as const;
    await engine.changeTopic({ ...create, topic: 'orders' });
    await vi.waitFor(async () => expect((await engine.topic('orders')).topic?.underReplicated).toBe(0), 60_000);
  });
  afterAll(async () => {
    await engine?.[Symbol.asyncDispose]();
    await kafka?.[Symbol.asyncDispose]();
  });

  it('has their votes from the beginning, on their own disks', async () => {
    const { voters: all, observers } = await quorum();
    const disks = all.map(({ id, directoryId }) => ({ id, directoryId })).sort((a, b) => a.id - b.id);
    expect(disks).toEqual([0, 1, 2].map((id) => ({ id, directoryId: kafka.directoryId(id) })));
    expect(observers).toEqual([]);
    for (const id of kafka.ids) {
      const pid = await readFile(join(kafka.node(id).folder, 'pid'), 'utf8');
      const status = await readFile(`/proc/${pid.trim()}/status`, 'utf8');
      console.log(`broker ${id}: ${/^VmRSS:.*$/m.exec(status)?.[0]}`);
    }
  });

  it('presents a renewed certificate on the ports of both roles after one reload', async () => {
    const renewed = await identityOf(kafka.authority, 'events-nodes');
    const { serialNumber } = new X509Certificate(renewed.certificate);
    const address = kafka.bootstrap[0] ?? { host: '', port: 0 };
    await kafka.node(0).mount('nodes', renewed);
    const both = async () => {
      await engine.changeCluster({ act: 'reload', node: 0, address });
      const ports = [address, kafka.controllers[0] ?? address];
      return Promise.all(ports.map((one) => shownSerial(one, kafka.operator)));
    };
    await expect.poll(both, { timeout: 120_000, interval: 1_000 }).toEqual([serialNumber, serialNumber]);
  });

  it('goes on when its active controller is killed, and loses no acknowledged record', async () => {
    const records = new AcknowledgedRecords(kafka, 'orders', partitions, 'killed');
    await expect.poll(() => records.acknowledged).toBeGreaterThan(50);
    const { leader } = await quorum();
    await kafka.node(leader).kill();
    const before = records.acknowledged;
    await expect
      .poll(async () => (await quorum().catch(() => undefined))?.leader)
      .not.toBeOneOf([leader, -1, undefined]);
    await kafka.node(leader).start();
    await untilWhole();
    await expect.poll(() => records.acknowledged).toBeGreaterThan(before + 50);
    const gap = await records.stop();
    console.log(`active controller killed: ${records.acknowledged} acknowledged, gap ${gap} ms`);
    expect(await records.lost()).toEqual([]);
    expect(await voters()).toEqual([0, 1, 2]);
  });

  it('gives a new broker a vote, and takes it before the broker leaves', async () => {
    await kafka.add(3, 'broker');
    const observer = async () => (await quorum()).observers.find(({ id }) => id === 3);
    await expect.poll(observer).toBeDefined();
    const directoryId = (await observer())?.directoryId ?? '';
    const address = kafka.controllers[3] ?? { host: '', port: 0 };
    const addVoter = () => engine.changeCluster({ act: 'addVoter', id: 3, directoryId, address });
    await expect.poll(() => addVoter().then(() => 'added', String), { timeout: 60_000 }).toBe('added');
    await expect.poll(voters).toEqual([0, 1, 2, 3]);
    await engine.changeCluster({ act: 'removeVoter', id: 3, directoryId });
    await expect.poll(voters).toEqual([0, 1, 2]);
    await kafka.node(3).stop();
    await expect
      .poll(() => engine.changeCluster({ act: 'unregister', broker: 3 }).then(() => 'left', String), {
        timeout: 60_000,
      })
      .toBe('left');
    await kafka.remove(3);
    await untilWhole();
    expect(await voters()).toEqual([0, 1, 2]);
  });

  it('hands over when its active controller stops', async () => {
    const records = new AcknowledgedRecords(kafka, 'orders', partitions, 'stopped');
    await expect.poll(() => records.acknowledged).toBeGreaterThan(50);
    const { leader } = await quorum();
    const began = Date.now();
    expect(await kafka.node(leader).stop()).toBe(143);
    const stopped = Date.now() - began;
    await kafka.node(leader).start();
    await untilWhole();
    const gap = await records.stop();
    console.log(`active controller stopped in ${stopped} ms: ${records.acknowledged} acknowledged, gap ${gap} ms`);
    expect(await records.lost()).toEqual([]);
  });

  it('stops as a whole, although the last of its nodes have no quorum', async () => {
    const began = Date.now();
    const stops = [0, 1, 2].map(async (id) => {
      await kafka.node(id).stop();
      return Date.now() - began;
    });
    const times = await Promise.all(stops);
    console.log(`all stopped in ${times.join(', ')} ms`);
    // One that is left alone waits five minutes for a controller.
    expect(Math.max(...times)).toBeLessThan(120_000);
    await Promise.all([0, 1, 2].map((id) => kafka.node(id).start()));
    await untilWhole();
  });
});
