import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ApiObject, App, Chart } from 'cdk8s';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { importCommand } from '../../cli/import.js';
import { choices, crdOf, unusualKinds } from './given/unusual-crds.js';

const root = path.join(import.meta.dirname, '..', '..');
const given = path.join(import.meta.dirname, 'given');

let folder: string;
beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  folder = await mkdtemp(path.join(tmpdir(), 'unusual-imports-'));
  // The generated classes extend those of this project.
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function imported(out: string, crds: readonly object[], ...args: readonly string[]): Promise<void> {
  const file = path.join(folder, 'crds.yaml');
  await writeFile(file, crds.map((crd) => JSON.stringify(crd)).join('\n---\n'));
  await importCommand().parseAsync([file, '--out', out, ...args], { from: 'user' });
}

type ResourceClass = new (scope: Chart, id: string, props: object) => ApiObject;

describe('a kind is imported with', () => {
  let modules: Readonly<Record<string, unknown>>;
  let out: string;
  beforeAll(async () => {
    out = path.join(folder, 'imports');
    await imported(out, unusualKinds.map(crdOf));
    modules = await import(path.join(out, 'index.ts'));
  });

  test.each(unusualKinds)('$what', async ({ kind, className, props, rendered }) => {
    expect(Object.values(modules)).toContainEqual(expect.objectContaining({ kind, version: 'v1', namespaced: true }));
    for (const [suffix, version] of [
      ['', 'v1'],
      ['V1Beta1', 'v1beta1'],
    ]) {
      const Resource = modules[className + suffix] as ResourceClass;
      const { metadata: _, ...json } = new Resource(new Chart(new App(), 'chart'), 'one', props).toJson();
      expect(json).toEqual({ apiVersion: `unusual.example.com/${version}`, kind, ...rendered });
    }
  });

  test('an enum that has all values, and a member for each', () => {
    const members = modules['KubeChoiceSpecOne'] as Readonly<Record<string, string>>;
    expect(Object.values(members)).toEqual(choices);
    expect(members).toMatchObject({ EMPTY: '', A: 'a', A2: 'A', VALUE_1_5: '1.5', UE9: 'é', DOLLAR_SIGN_X: '$x' });
  });

  test('interfaces with the same keys and values', async () => {
    expect(await readFile(path.join(out, 'keyed.ts'), 'utf8')).toContain("readonly 'foo:bar'?: string;");
    expect(await readFile(path.join(out, 'keyed.ts'), 'utf8')).toContain('readonly é?: string;');
    expect(await readFile(path.join(out, 'choice.ts'), 'utf8')).toContain("| 'a[]' |");
    expect(await readFile(path.join(out, 'anything.ts'), 'utf8')).toContain('readonly [k: string]: unknown;');
  });
});

describe('a failed import leaves the folder as it was', () => {
  const crd = (kind: string) => crdOf({ ...(unusualKinds[0] as (typeof unusualKinds)[number]), kind });

  test.each([
    {
      when: 'the code does not compile',
      message: /does not compile, and nothing is written: .*ApiObject/,
      crds: [crd('Object')],
      args: ['--class-prefix', 'Api'],
    },
    { when: 'two kinds need one file', message: 'same file widget.ts', crds: [crd('Widget'), crd('WIDGET')], args: [] },
    {
      when: 'two kinds need one name',
      message: 'both declare KubeWidget',
      crds: [crd('Widget'), crd('KubeWidget')],
      args: [],
    },
    {
      when: 'the prefix is no name',
      message: '--class-prefix: Invalid value: "my-": must be',
      crds: [crd('Widget')],
      args: ['--class-prefix', 'my-'],
    },
    {
      when: 'there is no prefix',
      message: '--class-prefix: Invalid value: "": must be',
      crds: [crd('Widget')],
      args: ['--class-prefix', ''],
    },
  ])('when $when', async ({ message, crds, args }) => {
    const out = path.join(folder, 'kept', 'imports');
    await imported(out, [crd('Gadget')]);
    const before = await contents(out);
    await expect(imported(out, crds.concat(crd('Gadget')), ...args)).rejects.toThrow(message);
    expect(await contents(out)).toEqual(before);
    expect(await readdir(path.dirname(out))).toEqual(['imports']);
  });
});

async function contents(out: string): Promise<Readonly<Record<string, string>>> {
  const files = (await readdir(out)).sort();
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(path.join(out, file), 'utf8')])),
  );
}

test('a module of the user beside the generated ones may have errors, and is exported', async () => {
  const out = path.join(folder, 'mine', 'imports');
  await imported(out, [crdOf(unusualKinds[0] as (typeof unusualKinds)[number])]);
  await writeFile(path.join(out, 'mine.ts'), "export const mine: number = 'no number';\n");
  await importCommand().parseAsync([path.join(given, 'widgets.yaml'), '--out', out], { from: 'user' });
  expect(await readFile(path.join(out, 'index.ts'), 'utf8')).toContain("  mine,\n} from './mine.js';");
});
