import { describe, expect, test } from 'vitest';
import { assess } from '../../../../../operator/controllers/database/assess.js';
import { upToDateOf } from '../../../../../operator/controllers/database/findings/up-to-date.js';
import { parametersAnnotation } from '../../../../../operator/controllers/database/instances/instances.js';
import { polls } from '../../../../../operator/controllers/database/polls.js';
import { poll } from '../../../../../operator/runtime/controller/polls.js';
import type { LiveSecret } from '../../../../../operator/runtime/index.js';
import { live } from '../../../../given.js';
import { type Changes, databaseView } from '../given-view.js';
import { now, planned, situation, three, told } from '../instances/given-instances.js';

const secret = (name: string, data: Readonly<Record<string, string>>): LiveSecret =>
  live({
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'shop' } },
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
  });
const secrets = [secret('orders-tls', { 'ca.crt': 'AUTHORITY', 'tls.crt': 'SERVER', 'tls.key': 'KEY' })];
const said = (reason: string) => ({
  primary: 'orders-1',
  conditions: [{ type: 'UpToDate', reason, status: 'Unknown' }],
});

/** What is asked of whoever restarts primaries. */
const asked = (changes: Changes) =>
  polls(poll as never).restart.request(databaseView({ secrets, ...changes }) as never);

test('line 5: the primary is told to restart once the status says so, by the certificate of the Database', () => {
  expect(asked({ status: said('Restarting') })).toMatchObject({
    question: {
      ...{ authority: 'AUTHORITY', certified: { certificate: 'SERVER', key: 'KEY' } },
      ...{ address: '10.0.0.1', port: 8008, host: 'orders-1.orders-members.shop.svc' },
    },
  });
});

test.each<{ when: string; changes: Changes }>([
  { when: 'it is to be replaced', changes: { status: said('Updating') } },
  { when: 'nothing is said yet', changes: {} },
  { when: 'there is no certificate', changes: { status: said('Restarting'), secrets: [] } },
  {
    when: 'its pod has no address',
    changes: { status: said('Restarting'), pods: { 'orders-1': { podIP: undefined } } },
  },
  { when: 'nobody leads', changes: { status: { ...said('Restarting'), primary: undefined } } },
])('line 5: no primary is told to restart when $when', ({ changes }) => expect(asked(changes)).toBeUndefined());

test('line 5: the status says that the primary restarts before it does', () => {
  const waits = { pendingRestart: true };
  const view = databaseView({ reports: { 'orders-1': waits, 'orders-3': waits } });
  expect(view.owned.of({ kind: 'Pod' } as never)).toMatchObject([
    {},
    {},
    { metadata: { annotations: { [parametersAnnotation]: expect.anything() } } },
  ]);
  const { UpToDate } = assess(view).conditions;
  expect(UpToDate).toEqual({
    reason: 'Restarting',
    message:
      '3 of 3 instances run the current spec; orders-1 restarts in place, because it must apply lower limits before its replicas',
  });
});

describe('line 5: a restart that is refused', () => {
  const waits = { pendingRestart: true };
  const why = '503 restart conditions are not satisfied';
  const steps =
    '3 of 3 instances run the current spec; orders-1 restarts in place, because it must apply lower limits before its replicas';
  const message = `${steps}; orders-1 refused the restart: ${why}`;
  const judged = (refused: string | undefined, before?: string) => {
    const changes: Changes = { reports: { 'orders-1': waits, 'orders-3': waits } };
    const current = { type: 'UpToDate', status: 'Unknown', reason: 'Restarting', message: before };
    const view = databaseView({ ...changes, status: { primary: 'orders-1', conditions: [current] } });
    const restart = { known: true, value: { ...(refused && { refused }) }, at: now, earlier: [] } as const;
    const { conditions, events } = assess({ ...view, polled: { ...view.polled, restart } });
    return { message: conditions.UpToDate?.message, reason: conditions.UpToDate?.reason, events };
  };

  test('is told by the condition, and once by an event', () => {
    const note = `orders-1 refused to restart in place: ${why}`;
    const events = [{ type: 'Warning', reason: 'RestartRefused', note }];
    expect(judged(why, steps)).toEqual({ message, reason: 'Restarting', events });
    expect(judged(why, message)).toEqual({ message, reason: 'Restarting', events: [] });
  });

  test('is told no more when it is not', () => {
    expect(judged(undefined, message)).toEqual({ message: steps, reason: 'Restarting', events: [] });
  });
});

test('line 5: that a restart has changed nothing is said, and nothing is restarted again', () => {
  const pending = { report: { role: 'replica', state: 'running', pendingRestart: true } } as const;
  const instances = three({}, { ...pending, parameters: 'p1.taken' });
  expect(told(planned(instances))).toEqual([]);
  const { resource } = databaseView();
  expect(upToDateOf({ situation: situation(instances), steps: [], resource, claims: [], seesNodes: true })).toEqual({
    reason: 'RestartPending',
    message: 'A parameter change needs another restart of orders-2; delete its Pod',
  });
  const recovering = three({}, { ...pending, parameters: 'p1.taken', isReady: false });
  const seen = { situation: situation(recovering), steps: [], resource, claims: [], seesNodes: true };
  expect(upToDateOf(seen)).toEqual({ reason: 'UpToDate' });
  const none = { ...seen, situation: situation(recovering.map((one) => ({ ...one, isReady: false }))) };
  expect(upToDateOf({ ...none, resource: { ...resource, status: {} } })).toEqual({
    reason: 'Updating',
    message: 'No instance runs yet',
  });
});
