import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { build } from '../given/build.js';

const folder = mkdtempSync(join(tmpdir(), 'synth-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files below a folder, by path. */
function filesOf(root: string): Record<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

test('the committed manifests match `npm run synth`', () => {
  execFileSync(process.execPath, [join(build, 'cli', 'synth.js')], { env: { ...process.env, CDK8S_OUTDIR: folder } });
  const written = filesOf(folder);
  expect(Object.keys(written)).toContain('0000-crds.k8s.yaml');
  expect(written).toEqual(filesOf('dist'));
});
