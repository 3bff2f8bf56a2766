import { afterEach, describe, expect, test } from 'vitest';
import type { Controller } from '../../../operator/runtime/controller/controller.js';
import { Event, groupKindOf, Secret } from '../../../operator/runtime/kubernetes/kinds.js';
import { CallError } from '../../../operator/runtime/ports/external-call.js';
import { type Provided, provided } from '../../../operator/runtime/ports/external-port.js';
import type { Log } from '../../../operator/runtime/ports/telemetry.js';
import { Metrics } from '../../../operator/telemetry/metrics.js';
import type { Loose } from '../../given.js';
import { GivenOperator } from '../runtime/given/operator.js';
import { closeAll, runs } from '../runtime/given/oracle.js';
import { dns, nameServiceWithin, record, recordController, recordKind } from '../runtime/given/records.js';
import { lines } from './given-metrics.js';

afterEach(closeAll);

/** An operator of records with everything that it tells. */
async function givenTold(port: Provided, controller: Controller = recordController()) {
  const metrics = new Metrics();
  const logged: string[] = [];
  const hear = (level: keyof Log) => (fields: object, message: string) => {
    logged.push(`${level} ${message} ${JSON.stringify(fields)}`);
  };
  const log: Log = { debug: hear('debug'), info: hear('info'), warn: hear('warn'), error: hear('error') };
  const telemetry = metrics.telemetry(log);
  const given = runs(new GivenOperator({ controllers: [controller], ports: [port], telemetry }));
  metrics.observe(given.operator);
  await given.start();
  const events = async () =>
    (await given.memory.list(Event, {})).items.map((event) => {
      const { type, reason, note } = event as Loose;
      return `${type} ${reason}: ${note}`;
    });
  return { given, metrics, logged, events };
}

const request = '{"name":"web","address":"1"}';
const never = () => new Promise<never>(() => {});
const fails = (error: Error) => () => Promise.reject(error);
const code = (code: string) => Object.assign(new Error('connection refused'), { code });

describe('one external call', () => {
  test.each<{ outcome: string; perform: () => Promise<unknown>; says: string; seconds: number }>([
    { outcome: 'answered', perform: async () => {}, says: '', seconds: 0 },
    { outcome: 'timeout', perform: never, says: 'no answer within 10000 ms', seconds: 10 },
    { outcome: 'retryable', perform: fails(new CallError('retryable', 'busy')), says: 'busy', seconds: 0 },
    { outcome: 'terminal', perform: fails(new CallError('terminal', 'no zone')), says: 'no zone', seconds: 0 },
    { outcome: 'unauthorized', perform: fails(new CallError('unauthorized', 'who')), says: 'who', seconds: 0 },
    { outcome: 'unreachable', perform: fails(code('ECONNREFUSED')), says: 'connection refused', seconds: 0 },
  ])('R32 R38 is counted, timed, logged and recorded as $outcome', async ({ outcome, perform, says, seconds }) => {
    const { given, metrics, logged, events } = await givenTold(provided(dns, async () => ({}), { perform }));
    await given.given(recordKind as never, record('web', { address: '1' }));
    await given.clock.advance(1_000 * seconds + 500);
    const of = 'controller="namerecord",port="dns"';
    expect(await lines(metrics, 'reconstruct_external_calls_total')).toEqual([
      `reconstruct_external_calls_total{${of},outcome="${outcome}"} 1`,
    ]);
    expect(await lines(metrics, 'reconstruct_external_call_duration_seconds')).toEqual([
      `reconstruct_external_call_duration_seconds_sum{${of}} ${seconds}`,
      `reconstruct_external_call_duration_seconds_count{${of}} 1`,
    ]);
    const isAnswered = outcome === 'answered';
    const line = isAnswered ? 'info Sent external call' : 'warn External call failed';
    const fields = { controller: 'namerecord', key: 'team/web', call: 'address', port: 'dns', request };
    const [logLine = ''] = logged.filter((one) => one.startsWith(line));
    expect(JSON.parse(logLine.slice(line.length))).toMatchObject(
      isAnswered ? fields : { ...fields, outcome, error: says },
    );
    expect(await events()).toContainEqual(
      isAnswered
        ? `Normal ExternalCallSent: Call address of dns ${request} was answered`
        : `Warning ExternalCallFailed: Call address of dns ${request} failed, ${outcome}: ${says}`,
    );
  });
});

describe('a Secret of a poll and of a call', () => {
  const secret = (token: string) => ({
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'team', name: 'login' } },
    data: { token: Buffer.from(token).toString('base64') },
  });
  const { port: quick } = nameServiceWithin(0);
  const controller = {
    ...recordController({ secret: 'login', visibleWithin: 0 }),
    polls: {
      found: {
        port: quick,
        request: ({ resource: { metadata } }) => ({ question: metadata.name, interval: 10_000, secret: 'login' }),
      },
    },
  } as Controller;

  test.each<{ broken: 'none' | 'poll' | 'call' }>([{ broken: 'none' }, { broken: 'poll' }, { broken: 'call' }])(
    'R33 is used anew each time and told nowhere, broken: $broken',
    async ({ broken }) => {
      const used: string[] = [];
      const use = (what: 'poll' | 'call', given: Readonly<Record<string, string>> | undefined) => {
        const token = given?.['token'] ?? 'none';
        used.push(`${what} ${token}`);
        if (what === broken) throw new Error(`token ${token} (${Buffer.from(token).toString('base64')}) is too old`);
      };
      const port = provided(
        quick,
        async (_, { secret }) => {
          use('poll', secret);
          return {};
        },
        { perform: async (_, { secret }) => use('call', secret) },
      );
      const { given, metrics, logged, events } = await givenTold(port, controller);
      await given.given(Secret, secret('first-value'));
      await given.given(recordKind as never, record('web', { address: '1' }));
      await given.clock.advance(30_000);
      await given.given(Secret, secret('second-value'));
      const before = used.length;
      await given.clock.advance(120_000);

      const kinds = broken === 'poll' ? ['poll'] : ['call', 'poll'];
      expect([...new Set(used.slice(0, before))].toSorted()).toEqual(kinds.map((kind) => `${kind} first-value`));
      expect([...new Set(used.slice(before))].toSorted()).toEqual(kinds.map((kind) => `${kind} second-value`));
      const live = await given.memory.list(recordKind as never, {});
      const told = [JSON.stringify(live), ...logged, ...(await events()), await metrics.registry.metrics()].join('\n');
      for (const value of ['first-value', 'second-value']) {
        expect(told).not.toContain(value);
        expect(told).not.toContain(Buffer.from(value).toString('base64'));
      }
      expect(given.operator.stores.map(({ kind }) => groupKindOf(kind))).not.toContain('Secret');
    },
  );
});
