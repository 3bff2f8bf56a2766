import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { controllersIn } from '../../cli/controllers/loaded-controllers.js';
import { controllerFor, controllerNamed } from '../../cli/controllers/resource-controllers.js';
import { childrenOf } from '../../cli/plan/children.js';
import { storedResource } from '../../cli/plan/stored-resource.js';
import { algorithm as algorithmCrd, kinds, toCustomResourceDefinition } from '../../crds/index.js';
import { algorithm } from '../../operator/controllers/algorithm/index.js';
import { controllers } from '../../operator/controllers/index.js';
import { live } from '../given.js';
import { gatherer, gathererController } from '../operator/runtime/given/pollers.js';
import { reader, readerController, secret } from '../operator/runtime/given/readers.js';
import { widget, widgetController } from '../operator/runtime/given/widgets.js';

const definitions = [toCustomResourceDefinition(algorithmCrd)];
const resource = (spec: object, metadata: object = {}) => ({
  ...{ apiVersion: 'ai.alien6.io/v1', kind: 'Algorithm', metadata: { name: 'web', ...metadata } },
  spec,
});

describe('a resource without an API server', () => {
  const stored = (spec: object, known: object = {}) =>
    storedResource(algorithm, resource(spec), { namespace: 'team', definitions, ...known });

  test('has the defaults of its schema, a namespace and a generation', () => {
    const { resource: found, isChecked } = stored({ image: 'web:1' });
    expect(isChecked).toBe(true);
    expect(found.metadata).toMatchObject({ name: 'web', namespace: 'team', generation: 1 });
    expect(found.spec).toMatchObject({ image: 'web:1', replicas: 1 });
  });

  test('keeps the namespace that it states', () => {
    const given = resource({ image: 'web:1' }, { namespace: 'own' });
    expect(storedResource(algorithm, given, { namespace: 'team', definitions }).resource.metadata.namespace).toBe(
      'own',
    );
  });

  test('is taken as it is where no schema is known', () => {
    expect(stored({ anything: 1 }, { definitions: [] })).toMatchObject({
      isChecked: false,
      resource: { spec: { anything: 1 } },
    });
  });

  test.each(['Web', 'a b', '-a', `${'a'.repeat(254)}`, 7])('is refused by the name %j', (name) => {
    const given = resource({ image: 'web:1' }, { name });
    expect(() => storedResource(algorithm, given, { namespace: 'team', definitions: [] })).toThrow(
      /^Algorithm team\/.* is invalid:\n {2}metadata\.name: /,
    );
  });

  test.each([
    { without: 'a spec', given: { spec: undefined }, told: 'spec: Required value' },
    { without: 'one that says anything', given: { spec: null }, told: 'spec: Required value' },
    {
      without: 'a well spelt one',
      given: { spec: undefined, specs: {} },
      told: 'specs: Unknown field\n  spec: Required value',
    },
    { without: 'what belongs there', given: { spec: { image: 'a' }, other: 1 }, told: 'other: Unknown field' },
  ])('is refused without $without', ({ given, told }) => {
    const manifest = { ...resource({}), ...given } as ReturnType<typeof resource>;
    const where = { namespace: 'team', definitions };
    expect(() => storedResource(algorithm, manifest, where)).toThrow(`web does not match its schema:\n  ${told}`);
  });

  test('may bring a status', () => {
    const manifest = { ...resource({ image: 'web:1' }), status: {} } as ReturnType<typeof resource>;
    expect(storedResource(algorithm, manifest, { namespace: 'team', definitions }).isChecked).toBe(true);
  });

  test('reports all faults at once', () => {
    expect(() => stored({ image: '', replica: 3 })).toThrow(
      /^Algorithm team\/web does not match its schema:\n {2}spec\.image: .*\n(.*\n)* {2}spec\.replica: Unknown field$/,
    );
  });
});

describe('its objects', () => {
  const nothing = { objects: [], unknown: () => {} };
  const becoming = async (spec: object) =>
    (await childrenOf(widgetController(), live(widget('web', spec)), nothing)).map(({ kind }) => kind);

  test('come in the order in which they would be made', async () => {
    expect(await becoming({ workload: true, maps: { a: {} } })).toEqual([
      ...['ConfigMap', 'Service', 'Deployment', 'HorizontalPodAutoscaler'],
    ]);
  });

  test('are none if the spec is rejected, and the reason is printed', async () => {
    await expect(becoming({ rejected: 'no' })).rejects.toThrow('Widget team/web is rejected: NotPossible: no');
  });

  test('are none if the controller fails, and the error names the controller, the resource and the line', async () => {
    const broken = widgetController({
      desire: () => {
        throw new TypeError('spec.html is undefined');
      },
    });
    await expect(childrenOf(broken, live(widget('web', {})), nothing)).rejects.toThrow(
      /^controller widget failed for Widget team\/web: desire of controller widget failed: spec\.html is undefined\n {2}at test\/cli\/plan\.test\.ts:/,
    );
  });

  test('include objects of the same file that the resource refers to', async () => {
    const [child] = await childrenOf(readerController, live(reader('web', { key: 'k' })), {
      ...nothing,
      objects: [secret('k', 'red')],
    });
    expect(child).toMatchObject({ data: { key: 'red' } });
  });
});

describe('a controller that asks outside of the API server', () => {
  test.each([
    { about: ['oracle'], when: 'what it makes goes by the answer', question: 'why' },
    { about: [], when: 'it asks nothing', question: undefined },
  ])('has told $about when $when', async ({ about, question }) => {
    const told: string[] = [];
    const resource = live(gatherer('web', question === undefined ? {} : { question }));
    const around = { objects: [], unknown: (port: string) => told.push(port) };
    expect(await childrenOf(gathererController, resource, around)).toHaveLength(1);
    expect(told).toEqual(about);
  });
});

describe('a module', () => {
  mkdirSync('build', { recursive: true });
  const folder = mkdtempSync(join('build', '.modules-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const written = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const controller = `{ kind: { kind: 'A', plural: 'as' }, owns: [], rbacRules: [], desire() {}, assess() {} }`;

  test.each([
    { offers: 1, exports: `export const a = ${controller};` },
    { offers: 2, exports: `const a = ${controller}, b = ${controller}; export { a }; export const all = [a, b];` },
  ])('offers $offers of $exports', async ({ offers, exports }) => {
    const { controllers } = await controllersIn(written(`offers-${offers}.mjs`, exports));
    expect(controllers).toHaveLength(offers);
  });

  test('offers the definitions of its kinds', async () => {
    const crd = JSON.stringify(definitions[0]);
    const file = written('defines.mjs', `export const a = ${controller}; export const crd = ${crd};`);
    expect((await controllersIn(file)).definitions).toEqual(definitions);
  });

  test('need not be named: there are the own ones', async () => {
    expect(await controllersIn(undefined)).toEqual({ controllers, definitions: kinds.map(toCustomResourceDefinition) });
  });

  test.each([
    {
      says: 'does not exist; specify the path of a module that exports controllers',
      file: 'none.mjs',
      text: undefined,
    },
    {
      says: 'exports no controller, only a, b; export the result of',
      file: 'no.mjs',
      text: 'export const a = 1, b = {};',
    },
    { says: 'exports no controller; export the result of defineController', file: 'empty.mjs', text: '' },
    { says: 'cannot be loaded: out of order', file: 'throws.mjs', text: "throw new Error('out of order');" },
    {
      says: 'cannot be loaded: two\nlines',
      file: 'lines.mjs',
      text: "throw new Error('two\\nlines');",
    },
  ])('$file $says', async ({ says, file, text }) => {
    const path = text === undefined ? join(folder, file) : written(file, text);
    await expect(controllersIn(path)).rejects.toThrow(`${path} ${says}`);
  });
});

describe('the controller', () => {
  test.each(['Algorithm', 'algorithm', 'algorithms', 'algorithms.ai.alien6.io'])('is found as %s', (name) => {
    expect(controllerNamed([algorithm], name)).toBe(algorithm);
  });

  test.each([
    { says: 'no controller for Widget of example.org/v1; there are controllers for Algorithm.ai.alien6.io', as: {} },
    {
      says: 'apiVersion: Invalid value: "ai.alien6.io/v2": must be ai.alien6.io/v1 for the controller algorithm',
      as: { kind: 'Algorithm', apiVersion: 'ai.alien6.io/v2' },
    },
  ])('says $says', ({ says, as }) => {
    expect(() => controllerFor([algorithm], { ...widget('web'), ...as })).toThrow(says);
  });
});
