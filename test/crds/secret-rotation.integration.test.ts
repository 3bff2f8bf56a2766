import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  certificateConsumers,
  defineKind,
  type InputOf,
  secretRotation,
  secretRotationSpec,
  withDefaults,
} from '../../crds/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { kstatusOf } from '../kstatus.js';
import { canonical } from './canonical.js';
import { ApiServer } from './given-api-server.js';
import { thing } from './given-kind.js';

const certified = defineKind(thing({ consumers: certificateConsumers('Consumers.') }));

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.at(givenControlPlane().kubeconfig);
  await server.serve(secretRotation);
  await server.serve(certified);
});
afterAll(() => server.close());

const database = { database: { name: 'orders' } };
const postgres = { host: 'db.example.com', database: 'shop', owner: 'shop', adminSecretRef: { name: 'admin' } };
const least = { secretName: 'orders-login', source: database };
const tried = (spec: object, name = 'orders') =>
  server.tried(secretRotation, { metadata: { name }, spec: { ...least, ...spec } });

describe('line 12: the API server', () => {
  it.each<InputOf<typeof secretRotationSpec>>([
    least,
    {
      ...least,
      every: '1m',
      overlap: '20s',
      consumers: [{ deployment: 'shop' }, { statefulSet: 'a', reload: 'Signal' }],
    },
    { ...least, source: { postgres } },
    { ...least, source: { kafkaUser: { name: 'shop' } } },
    { ...least, source: { random: {} } },
  ])('fills in what the constructs do: %j', async (spec) => {
    const answer = await server.tried(secretRotation, { metadata: { name: 'orders' }, spec });
    expect(answer.body.message).toBeUndefined();
    expect(canonical(answer.body.spec)).toBe(canonical(withDefaults(secretRotationSpec, spec)));
  });

  it.each([
    [
      { overlap: '30d' },
      'spec.overlap: Invalid value',
      'overlap 30d must be less than every 30d; lower overlap, or raise every',
    ],
    [
      { every: '30m' },
      'spec.overlap: Invalid value',
      'overlap 1h must be less than every 30m; lower overlap, or raise every',
    ],
    [
      { every: '30s', overlap: '1s' },
      'spec.every: Invalid value',
      'must be from 1m to 3650d; use a duration such as 90d',
    ],
    [{ every: '3651d' }, 'spec.every: Invalid value', 'must be from 1m to 3650d; use a duration such as 90d'],
    [
      { source: {} },
      'spec.source: Invalid value',
      'must have exactly one source; set database, postgres, kafkaUser or random',
    ],
    [{ source: { ...database, random: {} } }, 'spec.source: Invalid value', 'must have exactly one source'],
    [
      { source: { ...database, kafkaUser: { name: 'shop' } } },
      'spec.source: Invalid value',
      'must have exactly one source',
    ],
    [{ source: { kafkaUser: {} } }, 'spec.source.kafkaUser.name', 'Required value'],
    [{ source: { random: { keys: [] } } }, 'spec.source.random.keys: Invalid value', 'should have at least 1 items'],
    [{ source: { random: { length: 8 } } }, 'spec.source.random.length: Invalid value', 'greater than or equal to 24'],
    [
      { consumers: [{}] },
      'spec.consumers[0]: Invalid value',
      'must name exactly one consumer; set deployment, statefulSet or daemonSet',
    ],
    [
      { consumers: [{ deployment: 'a', reload: 'Reload' }] },
      'spec.consumers[0].reload: Unsupported value: "Reload"',
      'supported values: "Restart", "Signal", "None"',
    ],
    [
      { consumers: Array.from({ length: 65 }, (_, index) => ({ deployment: `a${index}` })) },
      'spec.consumers: Too many',
      'must have at most 64 items',
    ],
    [
      { consumers: [{ deployment: 'a', daemonSet: 'b' }] },
      'spec.consumers[0]: Invalid value',
      'must name exactly one consumer; set deployment, statefulSet or daemonSet',
    ],
  ])('refuses %j', async (spec, field, message) => {
    const { status, body } = await tried(spec);
    expect(status).toBe(422);
    expect(body.message).toContain(field);
    expect(body.message).toContain(message);
  });

  it.each(['pg-app', 'orders.app', '1st', `o${'r'.repeat(61)}`])('refuses the name %s', async (name) => {
    const { status, body } = await tried({}, name);
    expect(status).toBe(422);
    expect(body.message).toContain('must have a name that its logins can have; use up to 61 lower-case letters');
  });

  it('refuses a change of what a rotation has created', async () => {
    const { body } = await server.create(secretRotation, { metadata: { name: 'kept' }, spec: least });
    expect(kstatusOf(body as unknown as Parameters<typeof kstatusOf>[0])).toBe('InProgress');
    const update = async (change: object) =>
      (await server.triedUpdate(secretRotation, 'kept', { ...least, ...change })).body.message ?? '';
    expect(await update({ secretName: 'other' })).toContain('spec.secretName: Invalid value: "other": is immutable');
    expect(await update({ source: { database: { name: 'other' } } })).toContain(
      'spec.source.database.name: Invalid value: "other": is immutable',
    );
    expect(await update({ source: { random: {} } })).toContain('must stay of one type; create another SecretRotation');
    expect(await update({ source: { kafkaUser: { name: 'shop' } } })).toContain('must stay of one type');
    expect(await update({ every: '60d' })).toBe('');
    await server.remove(secretRotation, 'kept');
  });

  it('refuses another KafkaUser, whose users are not those of the rotation', async () => {
    const of = (name: string) => ({ ...least, source: { kafkaUser: { name } } });
    await server.create(secretRotation, { metadata: { name: 'kafka' }, spec: of('shop') });
    const { body } = await server.triedUpdate(secretRotation, 'kafka', of('other'));
    expect(body.message).toContain('spec.source.kafkaUser.name: Invalid value: "other": is immutable');
    await server.remove(secretRotation, 'kafka');
  });

  it.each([
    [{ service: 'web', port: 443 }, undefined],
    [{ deployment: 'web', reload: 'Restart' }, undefined],
    [{ service: 'web' }, 'must be set together with service; set both service and port, or remove port'],
    [{ deployment: 'web', port: 443 }, 'must be set together with service; set both service and port, or remove port'],
    [{ service: 'web', port: 443, reload: 'Restart' }, 'must not be set for a Service, which is only checked'],
    [{ service: 'web', port: 443, deployment: 'web' }, 'must name exactly one consumer'],
  ])('checks the consumer %j of a certificate', async (consumer, message) => {
    const { body } = await server.tried(certified, { metadata: { name: 'x' }, spec: { consumers: [consumer] } });
    if (message === undefined) expect(body.message).toBeUndefined();
    else expect(body.message).toContain(message);
  });
});
