import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kinds } from '../../../crds/index.js';
import { parseYaml } from '../../../operator/yaml/parse-yaml.js';
import { goProgram } from '../../given/go-program.js';

type Health = Readonly<Record<string, { readonly 'health.lua': string }>>;

/** What the page adds to Argo CD. */
const page = readFileSync('docs/operator/gitops.md', 'utf8');
const [, block = ''] = /```yaml\n(apiVersion: v1\nkind: ConfigMap\n.*?)```/s.exec(page) ?? [];
const customizations: Health = parseYaml(parseYaml(block).data['resource.customizations']);

let folder: string;
/** The interpreter that Argo CD uses. */
let glua: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gitops-'));
  const module = join(import.meta.dirname, 'lua');
  glua = await goProgram({ module, program: 'github.com/yuin/gopher-lua/cmd/glua', store: 'lua' });
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const condition = (type: string, status: string, message = '') => ({ type, status, message });
const reported = (...conditions: readonly object[]) => ({ observedGeneration: 2, conditions });

test.each<[health: string, message: string, when: string, status: object | undefined]>([
  ['Progressing', 'The operator has not reported yet', 'has no status', undefined],
  ['Progressing', 'The operator has not reported yet', 'has no condition', {}],
  [
    'Progressing',
    'The operator has not seen the last change',
    'was ready before its last change',
    { ...reported(condition('Ready', 'True')), observedGeneration: 1 },
  ],
  [
    'Progressing',
    'starting',
    'starts',
    reported(condition('Ready', 'Unknown', 'starting'), condition('Reconciling', 'True')),
  ],
  ['Progressing', 'one Pod is missing', 'lost a Pod', reported(condition('Ready', 'False', 'one Pod is missing'))],
  [
    'Healthy',
    'all is well',
    'is ready',
    reported(condition('Ready', 'True', 'all is well'), condition('Stalled', 'False')),
  ],
  [
    'Degraded',
    'image not found',
    'waits for a person',
    reported(condition('Ready', 'False', 'not ready'), condition('Stalled', 'True', 'image not found')),
  ],
  [
    'Suspended',
    'paused',
    'is paused',
    { ...reported(condition('Paused', 'True', 'paused'), condition('Ready', 'True')), observedGeneration: 1 },
  ],
  [
    'Healthy',
    'all is well',
    'is resumed',
    reported(condition('Paused', 'False'), condition('Ready', 'True', 'all is well')),
  ],
])('Argo CD shows %s, %j, for a resource that %s', async (health, message, _, status) => {
  const script = customizations['reconstruct.dev/*']?.['health.lua'] ?? '';
  const obj = lua({ metadata: { name: 'a', generation: 2 }, status });
  const file = join(folder, `${health}.lua`);
  await writeFile(
    file,
    `obj = ${obj}\nlocal function health()\n${script}\nend\nlocal h = health()\nprint(h.status)\nprint(h.message)\n`,
  );
  const { stdout } = await promisify(execFile)(glua, [file]);
  expect(stdout).toBe(`${health}\n${message}\n`);
});

test('Argo CD has the same script for each kind', () => {
  const patterns = Object.keys(customizations);
  for (const { group, kind } of kinds) expect(patterns, kind).toContain(`${group}/*`);
  expect(new Set(Object.values(customizations).map((one) => one['health.lua'])).size).toBe(1);
});

/** A JSON value in Lua. */
function lua(value: unknown): string {
  if (Array.isArray(value)) return `{ ${value.map(lua).join(', ')} }`;
  if (typeof value !== 'object' || value === null) return value === undefined ? 'nil' : JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, item]) => `[${JSON.stringify(key)}] = ${lua(item)}`)
    .join(', ')} }`;
}
