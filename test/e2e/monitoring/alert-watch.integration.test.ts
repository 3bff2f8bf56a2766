import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Listening, serve } from '../../../operator/telemetry/server.js';
import { AlertWatch, unwatched, watchNote } from './alert-watch.js';

const alert = { alertname: 'KafkaBrokersMissing', namespace: 'shop', name: 'events' };
const nothing = async () => {};

describe.skipIf(unwatched)(`the watch over alerts in a real Prometheus${watchNote}`, () => {
  let listening: Listening;
  let watch: AlertWatch;
  let ready = 3;
  const isReady = (brokers: number) => async () => {
    ready = brokers;
  };
  const lost = { alert, begin: isReady(2), end: isReady(3) };

  beforeAll(async () => {
    const body = async () =>
      `reconstruct_kafka_brokers_desired{namespace="shop",name="events"} 3
reconstruct_kafka_brokers_ready{namespace="shop",name="events"} ${ready}
`;
    const contentType = 'text/plain; version=0.0.4; charset=utf-8';
    listening = await serve(0, { '/metrics': { contentType, body } });
    const pods = [{ address: '127.0.0.1', name: 'operator', uid: 'operator' }];
    watch = await AlertWatch.start('kafka', 13, { pods, port: listening.port, namespace: 'system' });
  });
  beforeEach(async () => {
    ready = 3;
    await watch.untilCalm('shop');
  });
  afterAll(async () => {
    await watch?.stop();
    await listening?.close();
  });

  test('sees that an alert fires and stops, and which ones are left', async () => {
    expect(await watch.unfired()).toContain('KafkaBrokersMissing');
    await watch.show(lost);
    expect(await watch.unfired()).not.toContain('KafkaBrokersMissing');
    expect(await watch.unfired()).toContain('ConsumerBehind');
  });

  test.each([
    { what: 'nothing goes wrong', trouble: { ...lost, begin: nothing }, says: 'fires; instead: these fire: none' },
    {
      what: 'it does not become well',
      trouble: { ...lost, end: nothing },
      says: 'is over; instead: these fire: Kafka',
    },
    {
      what: 'another cluster is to have the trouble',
      trouble: { ...lost, alert: { ...alert, name: 'logs' } },
      says: '"name":"logs"} fires; instead: these fire: KafkaBrokersMissing',
    },
  ])('fails when $what', async ({ trouble, says }) => {
    await expect(watch.show(trouble, 8)).rejects.toThrow(says);
  });

  test('fails when the alert fires before', async () => {
    ready = 2;
    await watch.untilFiring(alert);
    await expect(watch.show(lost)).rejects.toThrow('fires before there is a reason');
  });

  test('does not take an alert for over while the operator is not scraped', async () => {
    ready = 2;
    await watch.untilFiring(alert);
    await listening.close();
    await expect(watch.untilOver(alert, { within: 8 })).rejects.toThrow('is over; instead: these fire: none');
  });
});
