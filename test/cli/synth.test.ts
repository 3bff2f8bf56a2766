import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseYaml } from '../../operator/yaml/parse-yaml.js';
import { build } from '../given/build.js';

const folder = mkdtempSync(join(tmpdir(), 'synth-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files below a folder, by path. */
function filesOf(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => relative(root, join(parentPath, name)));
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

test('the committed manifests match `npm run synth`', () => {
  execFileSync(process.execPath, [join(build, 'cli', 'synth.js')], { env: { ...process.env, CDK8S_OUTDIR: folder } });
  const written = filesOf(folder);
  expect(Object.keys(written)).toEqual(expect.arrayContaining(['0000-crds.k8s.yaml', 'chart/templates/NOTES.txt']));
  expect(written).toEqual(filesOf('dist'));
});

test('the base of kustomize has the same objects in the same order, in files of its folder', () => {
  const { resources } = parseYaml(readFileSync('dist/kustomize/kustomization.yaml', 'utf8'));
  expect(resources).toEqual(
    readdirSync('dist')
      .filter((file) => file.endsWith('.yaml'))
      .sort(),
  );
  for (const file of resources)
    expect(readFileSync(join('dist/kustomize', file), 'utf8')).toBe(readFileSync(join('dist', file), 'utf8'));
});
