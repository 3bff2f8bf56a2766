import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ApiObject, App, Chart } from 'cdk8s';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { importCommand } from '../../cli/import.js';

const root = path.join(import.meta.dirname, '..', '..');

const endpoint = (description: string, host = 'Name of the host.', tls = 'Check.') => ({
  type: 'object',
  description,
  properties: {
    host: { type: 'string', description: host },
    mode: { type: 'string', enum: ['Fast', 'Safe'], description: 'Mode of the connection.' },
    tls: { type: 'object', description: 'TLS.', properties: { verify: { type: 'boolean', description: tls } } },
    port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  },
});

const crdOf = (kind: string, fields: object, group = 'shared.example.com') => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.${group}` },
  spec: {
    group,
    names: { kind, plural: `${kind.toLowerCase()}s` },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: fields } } } },
      },
    ],
  },
});

/** `Relay` and `Proxy` have the same endpoints; three further ones differ in a comment. */
const crds = [
  crdOf('Relay', {
    source: endpoint('Endpoint.'),
    sink: endpoint('Endpoint.'),
    other: endpoint('Other endpoint.'),
    named: endpoint('Endpoint.', 'Name or address of the host.'),
    deep: endpoint('Endpoint.', undefined, 'Check of the certificate.'),
  }),
  // Its name is as short, and comes first in the alphabet.
  crdOf('Gateway', { in: endpoint('Endpoint.') }),
  crdOf('Lonely', { upstream: endpoint('Endpoint.') }, 'other.example.com'),
];

let folder: string;
let out: string;
beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  folder = await mkdtemp(path.join(tmpdir(), 'shared-imports-'));
  out = path.join(folder, 'imports');
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const file = path.join(folder, 'crds.yaml');
  await writeFile(file, crds.map((crd) => JSON.stringify(crd)).join('\n---\n'));
  await importCommand().parseAsync([file, '--out', out], { from: 'user' });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const moduleOf = (file: string) => readFile(path.join(out, file), 'utf8');
const declared = (text: string) => [...text.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name);

describe('two equal parts of a CRD', () => {
  test('are one interface with the shortest name, and the other name is an alias', async () => {
    const relay = await moduleOf('relay.ts');
    expect(declared(relay).filter((name) => /Sink|Source/.test(name ?? ''))).toEqual([
      'RelaySpecSink',
      'RelaySpecSinkTls',
    ]);
    expect(relay).toContain('export type RelaySpecSource = RelaySpecSink;\n');
    expect(relay).toContain('  readonly source?: RelaySpecSink;\n');
  });

  test('are two interfaces if a comment differs, of themselves, of a field or of a type below', async () => {
    const apart = ['RelaySpecOther', 'RelaySpecNamed', 'RelaySpecDeep', 'RelaySpecDeepTls'];
    expect(declared(await moduleOf('relay.ts'))).toEqual(expect.arrayContaining(apart));
  });

  test('are one interface in two kinds of one group, which the shorter name of a kind keeps', async () => {
    expect(await moduleOf('gateway.ts')).toContain('export type GatewaySpecIn = RelaySpecSink;\n');
    expect(await moduleOf('gateway.ts')).toContain(
      "import type {\n  RelaySpecSink,\n  RelaySpecSinkTls,\n} from './relay.js';\n",
    );
  });

  test('are two interfaces in two groups, whose modules do not depend on each other', async () => {
    expect(declared(await moduleOf('lonely.ts'))).toContain('LonelySpecUpstream');
    expect(await moduleOf('lonely.ts')).not.toContain('relay');
    expect(await moduleOf('other.example.com.ts')).not.toContain('./shared.example.com.js');
  });
});

describe('two equal parts of a class', () => {
  test('are one interface and one conversion', async () => {
    const text = await moduleOf('shared.example.com.ts');
    const sources = declared(text).filter((name) => /Spec(Source|Sink|In)$/.test(name ?? ''));
    expect(sources).toEqual(['KubeGatewaySpecIn']);
    expect(text).toContain(
      'export { type KubeGatewaySpecIn as KubeRelaySpecSource, toJson_GatewaySpecIn as toJson_RelaySpecSource };\n',
    );
  });

  test('keep both names of an enum and of a number or text, with the same members', async () => {
    const modules: Readonly<Record<string, unknown>> = await import(path.join(out, 'index.ts'));
    expect(modules['KubeRelaySpecSourceMode']).toBe(modules['KubeRelaySpecSinkMode']);
    expect(modules['KubeRelaySpecSourceMode']).toEqual({ FAST: 'Fast', SAFE: 'Safe' });
    expect(modules['KubeRelaySpecSourcePort']).toBe(modules['KubeRelaySpecSinkPort']);
  });

  test('render the same objects', async () => {
    const modules = await import(path.join(out, 'index.ts'));
    const end = { host: 'a', mode: modules.KubeRelaySpecSourceMode.SAFE, tls: { verify: true } };
    const spec = { source: { ...end, port: modules.KubeRelaySpecSourcePort.fromNumber(1) }, sink: end };
    const relay: ApiObject = new modules.KubeRelay(new Chart(new App(), 'chart'), 'one', { spec });
    const json = { host: 'a', mode: 'Safe', tls: { verify: true } };
    expect(relay.toJson().spec).toEqual({ source: { ...json, port: 1 }, sink: json });
  });
});

test('the index exports each name once, with its aliases', async () => {
  const index = await moduleOf('index.ts');
  const names = [...index.matchAll(/^ {2}(?:type )?(\w+),$/gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const kind of ['', 'Kube'])
    expect(names).toEqual(expect.arrayContaining([`${kind}RelaySpecSource`, `${kind}GatewaySpecInTls`]));
  expect(names.filter((name) => name?.startsWith('toJson'))).toEqual([]);
});

test('a module of the user with an alias of its own is exported as before', async () => {
  const own = path.join(folder, 'own');
  const file = path.join(folder, 'lonely.yaml');
  await writeFile(file, JSON.stringify(crds[2]));
  await importCommand().parseAsync([file, '--out', own], { from: 'user' });
  await writeFile(path.join(own, 'mine.ts'), 'const a = 1;\nexport { a as LonelySpec };\n');
  await importCommand().parseAsync([file, '--out', own], { from: 'user' });
  expect(await readFile(path.join(own, 'index.ts'), 'utf8')).not.toContain('mine');
});

describe('the modules of this package', () => {
  const imports = path.join(root, 'imports');
  const texts = async () => {
    const files = (await readdir(imports)).filter((file) => file.endsWith('.ts'));
    return Promise.all(files.map(async (file) => [file, await readFile(path.join(imports, file), 'utf8')] as const));
  };

  const declaring = async (field: string) =>
    (await texts()).flatMap(([file, text]) =>
      [...text.matchAll(new RegExp(`^  readonly ${field}\\??:`, 'gm'))].map(() => file),
    );

  test.each(['topologySpreadConstraints', 'nodeAffinity', 'whenUnsatisfiable'])(
    'declare the interface with %s once to read it and once to write it',
    async (field) => expect(await declaring(field)).toEqual(['shared.ts', 'shared.ts']),
  );

  test('declare a condition once, and that of the Gateway API, which has other comments', async () => {
    expect(await declaring('lastTransitionTime')).toEqual(['gateway.ts', 'shared.ts']);
  });

  test.each(['AlgorithmSpecPodTemplate', 'DatabaseSpecPodTemplate', 'TrainingJobSpecPodTemplate'])(
    '%s is an alias that keeps its comment',
    async (name) => {
      const all = (await texts()).map(([, text]) => text).join('\n');
      expect(all).toMatch(new RegExp(`^ \\* Settings of the Pods.*\n \\*/\nexport type ${name} = PodTemplate;$`, 'm'));
    },
  );
});
