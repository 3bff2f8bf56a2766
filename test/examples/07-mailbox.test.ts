import { readFileSync } from 'node:fs';
import { controllerContract, type GivenResource, simulation } from 'cdk8s-reconstruct/testing';
import { afterEach, describe, expect, it, test } from 'vitest';
import { mailbox } from '../../examples/07-mailbox/controller.js';
import { mailboxKind } from '../../examples/07-mailbox/kind.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import { Job, type ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';
import { parseYaml } from '../../operator/yaml/parse-yaml.js';
import type { Loose } from '../given.js';
import { settled } from '../operator/fake-clock.js';
import { GivenOperator } from '../operator/runtime/given/operator.js';

const written = parseYaml(readFileSync('examples/07-mailbox/resource.yaml', 'utf8')) as GivenResource;
const resource = { ...written, metadata: { ...written.metadata, namespace: 'team' } };
const given = { resource, edited: { image: 'registry.example.com/mailboxes:1.3.0' } };
const kind = mailboxKind as ObjectKind;
const name = { namespace: 'team', name: 'support' };

describe('a Mailbox', () => {
  for (const { name, holds } of controllerContract(mailbox, given)) it(name, holds);
  for (const { name, holds } of simulation(mailbox, given, { seeds: 20 })) it(name, holds);
});

describe('the account of a Mailbox', () => {
  let operator: GivenOperator;
  afterEach(() => operator.close());

  /** Far less than until the next resync. */
  const shortly = async () => {
    await settled();
    await operator.clock.advance(100);
  };
  const live = async () => (await operator.memory.read(kind, name)) as Loose | undefined;
  const commands = async () => {
    const { items } = await operator.memory.list(Job, {});
    return items.map((job) => (job as Loose)['spec'].template.spec.containers[0].args.join(' '));
  };
  const succeed = async () => {
    const status = { succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] };
    const { items } = await operator.memory.list(Job, {});
    for (const { metadata } of items) {
      const ended = [{ op: 'add', path: '/status', value: status }] as const;
      await operator.memory.patch(Job, metadata, ended, { manager: 'kubernetes', subresource: 'status' });
    }
    await shortly();
  };
  const remove = async () => {
    await operator.memory.remove(kind, name, { uid: String((await live())?.metadata.uid) });
    await shortly();
  };

  test('is in the status before it is created, and deleted before the Mailbox is, without a resync', async () => {
    operator = await new GivenOperator({ controllers: [mailbox as Controller] }).start();
    await operator.given(kind, resource);
    await shortly();
    const verbs = operator.writes.map((write) => write.replace(/support-create-x\w+/, 'support-create'));
    expect(verbs.indexOf('apply Mailbox/status team/support')).toBeLessThan(
      verbs.indexOf('create Job team/support-create'),
    );
    expect(await live()).toMatchObject({ status: { account: 'team.support' } });
    expect(await commands()).toEqual(['create team.support']);

    await remove();
    expect(await commands(), 'while the account is being created').toEqual(['create team.support']);
    await succeed();
    expect(await commands()).toEqual(['delete team.support']);
    expect(await live()).toBeDefined();
    await succeed();
    expect(await commands()).toEqual([]);
    expect(await live()).toBeUndefined();
  });
});
