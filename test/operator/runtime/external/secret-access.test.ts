import { beforeEach, describe, expect, test } from 'vitest';
import { rbacRulesOf } from '../../../../operator/runtime/controller/rbac-rules.js';
import { type SecretAccess, secretAccess } from '../../../../operator/runtime/external/secret-access.js';
import { Namespace, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { ObjectName } from '../../../../operator/runtime/kubernetes/object.js';
import { CallError } from '../../../../operator/runtime/ports/external-call.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { dns, recordController } from '../given/records.js';
import { failure } from '../given/scripted-cluster.js';

const { signal } = new AbortController();
let cluster: MemoryCluster;
let access: SecretAccess;
const give = (token: string) =>
  cluster.apply(
    Secret,
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'team', name: 'login' },
      data: { token: Buffer.from(token).toString('base64') },
    } as never,
    { manager: 'somebody' },
  );
const used = (name: string | ObjectName | undefined, resource = 'team/web') =>
  access({ resource, name, signal }, async (secret) => secret);

beforeEach(async () => {
  cluster = new MemoryCluster();
  access = secretAccess(cluster);
  await give('first-token');
});

describe('a Secret that a call names', () => {
  test('R33 is read in the namespace of the resource for each use, so a new value is used at once', async () => {
    expect(await used('login')).toEqual({ token: 'first-token' });
    await give('second-token');
    expect(await used('login')).toEqual({ token: 'second-token' });
    expect(await used(undefined)).toBeUndefined();
  });

  test('is read in the namespace that the controller states, also for a cluster-scoped resource', async () => {
    expect(await used({ namespace: 'team', name: 'login' }, 'web')).toEqual({ token: 'first-token' });
    await expect(used({ namespace: 'foe', name: 'login' }, 'team/web')).rejects.toThrow(
      'Secret login does not exist: create it in namespace foe',
    );
  });

  test.each<{ saying: string; name: string; resource: string }>([
    { saying: 'Secret other does not exist: create it in namespace team', name: 'other', resource: 'team/web' },
    { saying: 'Secret login does not exist: create it in namespace foe', name: 'login', resource: 'foe/web' },
    { saying: 'a cluster-scoped resource cannot name a Secret', name: 'login', resource: 'web' },
  ])('is refused with "$saying"', async ({ saying, name, resource }) => {
    await expect(used(name, resource)).rejects.toMatchObject({ kind: 'unauthorized', message: saying });
  });

  const release =
    'delete manually what needs the Secret to be deleted, and release the resource with the annotation reconstruct.dev/release';

  test('that is gone is not to be created in a namespace that is being deleted: the resource can be released', async () => {
    const metadata = { name: 'team', finalizers: ['example.org/content'] };
    const team = { apiVersion: 'v1', kind: 'Namespace', metadata };
    const { uid } = (await cluster.create(Namespace, team, { manager: 'somebody' })).metadata;
    await expect(used('other')).rejects.toThrow('Secret other does not exist: create it in namespace team');
    await cluster.remove(Namespace, { name: 'team' }, { uid });
    await expect(used('other')).rejects.toMatchObject({
      kind: 'unauthorized',
      message: `Secret other does not exist: namespace team is being deleted, so nothing can be created in it: ${release}`,
    });
  });

  test('that is gone has both ways out if the operator may not read the namespace', async () => {
    const blind = secretAccess({
      read: async (kind, name, options) => {
        if (kind.kind === 'Namespace') throw failure(403, 'Forbidden');
        return cluster.read(kind, name, options);
      },
    });
    const asked = blind({ resource: 'team/web', name: 'other', signal }, async (secret) => secret);
    await expect(asked).rejects.toMatchObject({
      kind: 'unauthorized',
      message: `Secret other does not exist: create it in namespace team; if the namespace is being deleted, ${release}`,
    });
  });

  test.each<{ thrown: Error; is: object }>([
    { thrown: new Error('token first-token is too old'), is: { message: 'token … is too old' } },
    { thrown: new Error('got Zmlyc3QtdG9rZW4='), is: { message: 'got …' } },
    { thrown: new Error('got Zmlyc3QtdG9rZW4'), is: { message: 'got …' } },
    {
      thrown: new CallError('retryable', 'first-token is busy', { retryAfter: 5 }),
      is: { message: '… is busy', kind: 'retryable', retryAfter: 5 },
    },
    { thrown: new CallError('terminal', 'no such zone'), is: { message: 'no such zone' } },
  ])('is not in the message of an error: $thrown.message', async ({ thrown, is }) => {
    const failing = access({ resource: 'team/web', name: 'login', signal }, () => Promise.reject(thrown));
    await expect(failing).rejects.toMatchObject(is);
  });
});

test.each<{ form: string; said: string }>([
  { form: 'plain', said: 'a b&c?d"é' },
  { form: 'in a URL', said: 'a%20b%26c%3Fd%22%C3%A9' },
  { form: 'in JSON', said: 'a b&c?d\\"é' },
  { form: 'in base64', said: Buffer.from('a b&c?d"é').toString('base64') },
  { form: 'in base64url', said: Buffer.from('a b&c?d"é').toString('base64url') },
  { form: 'trimmed', said: 'a b&c?d"é' },
])('R33 a value of a Secret is not in the message of an error: $form', async ({ said }) => {
  await give('a b&c?d"é\n');
  const failing = access({ resource: 'team/web', name: 'login', signal }, () => Promise.reject(new Error(`<${said}>`)));
  await expect(failing).rejects.toThrow(/^<…>$/);
});

test.each<{ secrets: readonly string[] | 'any'; grants: object | undefined }>([
  { secrets: [], grants: undefined },
  { secrets: 'any', grants: { apiGroups: [''], resources: ['secrets'], verbs: ['get'] } },
  { secrets: ['login'], grants: { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['login'] } },
])('R33 a port that names the Secrets $secrets gets $grants', ({ secrets, grants }) => {
  const controller = { ...recordController(), polls: {}, calls: [{ ...dns, secrets }] };
  expect(rbacRulesOf(controller).find(({ resources }) => resources.includes('secrets'))).toEqual(grants);
});
