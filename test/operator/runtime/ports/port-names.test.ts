import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Construct } from 'constructs';
import { describe, expect, test } from 'vitest';
import { controllers } from '../../../../operator/controllers/index.js';
import { restartHooks } from '../../../../operator/index.js';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { defineController } from '../../../../operator/runtime/controller/define-controller.js';
import type { Facts } from '../../../../operator/runtime/controller/facts.js';
import type { Poll } from '../../../../operator/runtime/controller/polls.js';
import { type Port, type Provided, provided } from '../../../../operator/runtime/ports/external-port.js';
import { ExternalCall } from '../../../../operator/runtime/rendering/external-call.js';
import { renderAll } from '../../../../operator/runtime/rendering/render.js';
import { controllerContract, factsOf, fakeSource } from '../../../../operator/testing/index.js';
import { GivenOperator } from '../given/operator.js';
import { dns, givenNameService, record, recordController, recordKind } from '../given/records.js';

type OwnPort = Port<string, { readonly address?: string }>;

/** Another port of the same name. */
const otherDns: OwnPort = { name: 'dns' };
const answering = (port: OwnPort, log: string[] = []) =>
  provided(port, async (question) => {
    log.push(question);
    return {};
  });
const running = (of: readonly Controller[], ports: readonly Provided[]) =>
  new GivenOperator({ controllers: of, ports });
/** A second controller of the kind, which polls a port. */
const polling = (port: Port): Controller => {
  const controller = recordController();
  const ownedStatus = { fields: new Set<string>(), conditions: new Set<string>() };
  const polls = { found: { ...controller.polls['found'], port } as Poll };
  return { ...controller, name: 'another', isPrimary: false, ownedStatus, polls, calls: [] };
};
const defineWith = (polls: object) =>
  defineController({
    kind: recordKind,
    owns: [],
    polls: () => polls as never,
    conditions: {},
    desire: () => {},
    assess: () => ({ conditions: {} }),
  });

describe('two ports of one name', () => {
  test('are refused at the start if a controller uses one and the sources have the other', () => {
    expect(() => running([recordController()], [answering(otherDns), givenNameService().provided])).toThrow(
      'controller namerecord and the sources in ports use two different ports named dns: use one and the same object, ' +
        'or give one of them another name, such as example.com/dns',
    );
  });

  test('are refused at the start if two controllers use them', () => {
    expect(() => running([recordController(), polling(otherDns)], [givenNameService().provided])).toThrow(
      'controller namerecord and controller another use two different ports named dns',
    );
  });

  test('are refused where one controller declares both', () => {
    const { polls } = recordController();
    expect(() => defineWith({ ...polls, second: { ...polls['found'], port: otherDns } })).toThrow(
      'controller namerecord uses two ports named dns',
    );
  });

  test('are refused by the contract if the test stands in for another one', async () => {
    const given = { resource: record('web', { address: '1' }), edited: { address: '2' } };
    const [check] = controllerContract(recordController(), { ...given, answers: [fakeSource(otherDns, () => ({}))] });
    await expect((async () => check?.holds())()).rejects.toThrow(
      'controller namerecord and the test use two different ports named dns',
    );
  });

  test('are one port if it is the same object, also in two controllers', () => {
    expect(() => running([recordController(), polling(dns)], [givenNameService().provided])).not.toThrow();
  });

  test('of this package are one port, because it may be loaded twice', () => {
    const copy = { ...restartHooks };
    const source = (port: Port) => provided(port as never, async () => ({}));
    expect(() => running([], [source(restartHooks), source(copy as never)])).not.toThrow();
  });
});

test('a source that is passed twice for a port is polled and called where the first one is', () => {
  const first = answering(dns as never);
  expect(() => running([recordController()], [first, givenNameService().provided])).toThrow(
    'controller namerecord calls dns, which has no performer: pass one to provided() in ports',
  );
});

describe('the ports of this package', () => {
  const files = readdirSync('operator', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const declared = files.flatMap((file) => {
    const text = readFileSync(join('operator', file), 'utf8');
    return [...text.matchAll(/const \w+: Port<[^=]*> = \{(.*?)\};/gs)].map(([, body = '']) => ({
      file,
      name: /name: '([^']*)'/.exec(body)?.[1] ?? '',
    }));
  });

  test('have a prefix that leaves all plain names to others', () => {
    expect(declared.length).toBeGreaterThan(30);
    expect(declared.filter(({ name }) => !/^reconstruct\/[a-z-]+$/.test(name))).toEqual([]);
    const used = controllers.flatMap(({ polls, calls }) => [...Object.values(polls).map(({ port }) => port), ...calls]);
    expect(used.filter(({ name }) => !name.startsWith('reconstruct/'))).toEqual([]);
  });

  test('have a name of their own each', () => {
    const names = declared.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});

test.each([
  { when: 'the name of a port changes', port: { ...dns, name: 'reconstruct/dns', formerName: 'dns' }, isSame: true },
  { when: 'a port takes another name without its former one', port: { ...dns, name: 'other' }, isSame: false },
])('an irreversible call is recognized in the status as before: $isSame, if $when', ({ port, isSame }) => {
  const hashWith = (used: typeof dns) => {
    const request = { name: 'web', address: '1' };
    const desire = (scope: Construct) =>
      void new ExternalCall(scope, 'x', { port: used, request, refreshes: ['found'] });
    const facts = factsOf(record('web', { address: '1' })) as unknown as Facts;
    return renderAll({ ...recordController(), calls: [used], desire }, facts).calls[0]?.hash;
  };
  expect(hashWith(port) === hashWith(dns)).toBe(isSame);
});
