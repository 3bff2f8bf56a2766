import { afterEach, describe, expect, test } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import type { Facts, Outcome } from '../../../../operator/runtime/controller/facts.js';
import type { PollRequest, StableFacts } from '../../../../operator/runtime/controller/polls.js';
import { Deployment, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { type Port, provided } from '../../../../operator/runtime/ports/external-port.js';
import { settled } from '../../fake-clock.js';
import { GivenOperator } from '../given/operator.js';
import { closeAll, givenGatherers, runs } from '../given/oracle.js';
import { gatherer, gathererController, gathererKind, oracle } from '../given/pollers.js';
import { add } from '../given/widgets.js';

const controllers = [gathererController];
afterEach(closeAll);

const labelled = (label: string): Manifest => {
  const { metadata, ...rest } = gatherer('one', { question: 'colour' });
  return { ...rest, metadata: { ...metadata, labels: { label } } };
};

async function remove({ memory }: GivenOperator) {
  const one = await memory.read(gathererKind as ObjectKind, { namespace: 'team', name: 'one' });
  if (one) await memory.remove(gathererKind as ObjectKind, one.metadata, { uid: one.metadata.uid });
  await settled();
}

/** Gatherers that own a Deployment, and ask something else. */
function withGather(request: (facts: StableFacts) => PollRequest<string> | undefined): Controller {
  return {
    ...gathererController,
    polls: { said: { port: oracle as Port, request } },
    desire: (scope, { resource: { metadata } }) => {
      add(scope, 'apps/v1', 'Deployment', metadata.name, { spec: {} });
    },
  };
}

/** The same controller, which gathers nothing. */
function withoutGather(): Controller {
  const { desire, assess } = gathererController;
  return {
    ...gathererController,
    polls: {},
    desire: (scope, { resource }) => desire(scope, { resource, polled: {} } as Facts),
    assess: () => assess({ polled: {} } as Outcome),
  };
}

describe('a poll', () => {
  test('is answered in the background: the pass goes on, and the answer wakes the resource', async () => {
    const { given, apply, word, told, last } = await givenGatherers();
    await apply('one', { question: 'colour' });
    expect([await word(), await told()]).toEqual(['nothing', 'not polled yet']);
    const before = given.passes.length;
    await last().answer('red');
    expect([await word(), given.passes.length - before]).toEqual(['red', 1]);
  });

  test('R26 blocks no reconcile, even if the answer is slow', async () => {
    const { apply, word, asked } = await givenGatherers({ maxConcurrentReconciles: 1 });
    await apply('slow', { question: 'colour' });
    await apply('quick', { question: 'size' });
    await asked[1]?.answer('large');
    expect([await word('slow'), await word('quick')]).toEqual(['nothing', 'large']);
  });

  test('is asked again when `every` has gone by, and not before', async () => {
    const { given, apply, word, last, questions } = await givenGatherers();
    await apply('one', { question: 'colour', every: 10_000 });
    await last().answer('red');
    await given.clock.advance(9_999);
    expect(questions()).toHaveLength(1);
    await given.clock.advance(1);
    expect(questions()).toHaveLength(2);
    await last().answer('blue');
    expect(await word()).toBe('blue');
  });

  test('keeps its answer at another interval', async () => {
    const { given, apply, word, last, questions } = await givenGatherers();
    await apply('one', { question: 'colour', every: 60_000 });
    await last().answer('red');
    await apply('one', { question: 'colour', every: 10_000 });
    expect([await word(), questions()]).toEqual(['red', ['colour']]);
    await given.clock.advance(10_000);
    expect(questions()).toHaveLength(2);
  });

  test.each([
    { when: 'an answer takes longer than `every`', every: 2_000, takes: 3_000 },
    { when: 'a spec wants it all the time', every: 0, takes: 0 },
    { when: 'a spec wants what is no number', every: Number.NaN, takes: 0 },
  ])('is asked once at a time, and once a second at the most, when $when', async ({ every, takes }) => {
    const { given, apply, last, questions } = await givenGatherers();
    await apply('one', { question: 'colour', every });
    await given.clock.advance(takes);
    expect(questions()).toHaveLength(1);
    await last().answer('red');
    await given.clock.advance(takes > 0 ? 0 : 999);
    expect(questions()).toHaveLength(takes > 0 ? 2 : 1);
    await given.clock.advance(1);
    expect(questions()).toHaveLength(2);
  });

  test('is asked once for any number of passes', async () => {
    const { given, apply, last, questions } = await givenGatherers();
    await apply('one', { question: 'colour' });
    await last().answer('red');
    for (let n = 0; n < 5; n++) await given.given(gathererKind as ObjectKind, labelled(`${n}`));
    expect(given.passes.length).toBeGreaterThan(5);
    expect(questions()).toHaveLength(1);
  });

  test('is asked anew when the question is another, and the answer to the one before is not taken for its own', async () => {
    const { given, apply, word, told, asked, questions } = await givenGatherers();
    await apply('one', { question: 'colour' });
    await asked[0]?.answer('red');
    await apply('one', { question: 'size' });
    await given.clock.advance(1_000);
    expect([await word(), await told(), questions()]).toEqual(['nothing', 'not polled yet', ['colour', 'size']]);
    await asked[1]?.answer('large');
    expect(await word()).toBe('large');
  });

  test('is asked once a second at the most, though the question is another each time', async () => {
    const { given, apply, questions } = await givenGatherers();
    for (let n = 0; n < 10; n++) {
      await apply('one', { question: `colour ${n}` });
      await given.clock.advance(500);
    }
    expect(questions()).toHaveLength(6); // at 0, 1 … 5 s
  });

  test("is called off when the question is another: an answer that comes late is nobody's", async () => {
    const { apply, word, asked } = await givenGatherers();
    await apply('one', { question: 'colour' });
    await apply('one', { question: 'size' });
    expect(asked[0]?.signal.aborted).toBe(true);
    await asked[0]?.answer('red');
    expect(await word()).toBe('nothing');
  });

  test.each<{ when: string; act: (given: GivenOperator) => Promise<unknown> }>([
    { when: 'its resource is gone', act: (given) => remove(given) },
    { when: 'it asks nothing any more', act: (given) => given.given(gathererKind as ObjectKind, gatherer('one', {})) },
    { when: 'the operator stops', act: (given) => given.stop() },
  ])('is forgotten when $when', async ({ act }) => {
    const { given, apply, last, questions } = await givenGatherers();
    await apply('one', { question: 'colour' });
    await last().answer('red');
    await given.clock.advance(10_000);
    await act(given);
    expect(last().signal.aborted).toBe(true);
    expect(given.operator.loops[0]?.context.pollers?.size).toBe(0);
    expect(given.complaints).toEqual([]);
    await given.clock.advance(60_000);
    expect(questions()).toHaveLength(2);
  });

  test('is asked by the leader alone', async () => {
    const lease = { name: 'operator', namespace: 'system' };
    const first = await givenGatherers({ lease });
    await first.apply('one', { question: 'colour' });
    const second = runs(
      new GivenOperator({ controllers, ports: first.ports, lease, identity: 'second' }, first.given.memory),
    );
    await second.start();
    await second.clock.advance(5_000);
    expect(first.questions()).toHaveLength(1);
    await first.given.stop();
    await second.clock.advance(60_000);
    expect(first.questions().length).toBeGreaterThan(1);
  });

  test('R26 is asked of so many at a time, the others in their order', async () => {
    const { apply, asked, questions } = await givenGatherers();
    for (let n = 0; n < 36; n++) await apply(`r${n}`, { question: `q${n}` });
    expect(questions()).toHaveLength(32);
    await asked[3]?.answer('red');
    await asked[5]?.fail('busy');
    expect(questions().slice(32)).toEqual(['q32', 'q33']);
  });

  test('is not asked when it is not wanted any more by the time that its turn comes', async () => {
    const { given, apply, asked, questions } = await givenGatherers();
    for (let n = 0; n < 34; n++) await apply(n === 32 ? 'one' : `r${n}`, { question: `q${n}` });
    await remove(given);
    await asked[3]?.answer('red');
    expect(questions().slice(32)).toEqual(['q33']);
  });
});

describe('an unknown answer', () => {
  test('is a value, with why and since when', async () => {
    const { given, apply, word, told, last } = await givenGatherers();
    await apply('one', { question: 'colour' });
    await last().answer('red');
    await given.clock.advance(10_000);
    await last().fail('the oracle sleeps');
    expect([await word(), await told()]).toEqual(['nothing', 'the oracle sleeps']);
    expect(given.passes).not.toContain('error');
  });

  test('R26 is what was not answered in time, and the next answer is taken', async () => {
    const { given, apply, word, told, last } = await givenGatherers();
    await apply('one', { question: 'colour' });
    await given.clock.advance(5_000);
    expect([await told(), last().signal.aborted]).toEqual(['no answer within 5000 ms', true]);
    await given.clock.advance(5_000);
    await last().answer('red');
    expect(await word()).toBe('red');
  });

  test('is what a source throws at once', async () => {
    const throws = provided(oracle, () => {
      throw new Error('there is no oracle');
    });
    const { apply, told } = await givenGatherers({ ports: [throws] });
    await apply('one', { question: 'colour' });
    expect(await told()).toBe('there is no oracle');
  });

  test('is said once in the log, however often it is asked, and wakes the resource once', async () => {
    const { given, apply, last } = await givenGatherers();
    await apply('one', { question: 'colour' });
    await last().fail('busy');
    const before = given.passes.length;
    for (let n = 0; n < 3; n++) {
      await given.clock.advance(10_000);
      await last().fail('busy');
    }
    expect(given.complaints).toEqual(['Poll failed, retrying']);
    expect(given.passes.length).toBe(before);
  });
});

describe('a resource that asks nothing', () => {
  test('R17 costs no question, no timer and no pass more than one of a controller that gathers nothing', async () => {
    const pollers = await givenGatherers();
    await pollers.apply('one', {});
    const plain = runs(new GivenOperator({ controllers: [withoutGather()] }));
    await plain.start();
    await plain.given(gathererKind as ObjectKind, gatherer('one', {}));
    for (const given of [pollers.given, plain]) await given.clock.advance(3_600_000);
    expect(pollers.given.passes).toEqual(plain.passes);
    expect(pollers.given.clock.waiting).toBe(plain.clock.waiting);
    expect(pollers.given.writes).toEqual(plain.writes);
    expect(pollers.questions()).toEqual([]);
  });

  test('is not looked at when another is told something', async () => {
    const { given, apply, last } = await givenGatherers();
    await apply('one', { question: 'colour' });
    await apply('two', {});
    const before = given.passes.length;
    await last().answer('red');
    expect(given.passes.length - before).toBe(1);
  });
});

describe('a question that follows from what a resource owns', () => {
  test('is another as soon as that is', async () => {
    const controller = withGather(({ owned, resource }) => {
      if (!resource.status) return undefined; // it is looked at for the first time after the status was written
      const { readyReplicas } = owned.one(Deployment)?.status ?? {};
      return readyReplicas === undefined ? undefined : { question: `of ${readyReplicas}`, interval: 10_000 };
    });
    const { given, apply, questions } = await givenGatherers({ controllers: [controller] });
    await apply('one', {});
    const name = { name: 'one', namespace: 'team' };
    const status = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: name, status: { readyReplicas: 2 } };
    await given.memory.apply(Deployment, status as never, { manager: 'somebody', subresource: 'status' });
    await settled();
    expect(questions()).toEqual(['of 2']);
  });

  test('is not thought of at rest', async () => {
    let thoughts = 0;
    const controller = withGather(({ owned }) => {
      thoughts++;
      return void owned.one(Deployment);
    });
    const { given, apply } = await givenGatherers({ controllers: [controller] });
    await apply('one', {});
    await given.clock.advance(60_000);
    thoughts = 0;
    await given.clock.advance(3_600_000);
    expect(thoughts).toBe(0);
  });

  test('is asked at once where it follows from the status that the pass wrote', async () => {
    const controller = withGather(({ resource }) => {
      const { conditions } = (resource.status ?? {}) as { readonly conditions?: unknown };
      return conditions ? { question: 'told', interval: 10_000 } : undefined;
    });
    const { apply, questions } = await givenGatherers({ controllers: [controller] });
    await apply('one', {});
    expect(questions()).toEqual(['told']);
  });
});
