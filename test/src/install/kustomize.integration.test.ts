import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ControlPlane } from '../../../operator/testing/index.js';
import { controlPlaneWithoutPods } from '../../acceptance/given/without-pods.js';

let controlPlane: ControlPlane;
let folder: string;
beforeAll(async () => {
  controlPlane = await controlPlaneWithoutPods();
  return () => controlPlane.stop();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kustomize-'));
  cpSync('dist/kustomize', join(folder, 'base'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const deployment = ['--namespace=reconstruct-system', 'deployment/reconstruct'];

/** The overlay of a user, whose registry has the operator in a version. */
function overlay(version: string): void {
  const image = `{ name: registry.alien6.io/reconstruct/operator, newName: registry.example.com/operator, newTag: ${version} }`;
  writeFileSync(join(folder, 'kustomization.yaml'), `resources: [base]\nimages:\n  - ${image}\n`);
}

/** @returns the output */
async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await controlPlane.kubectl(args, {});
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

const apply = (...flags: readonly string[]) => kubectl('apply', '--server-side', ...flags, '-k', folder);
const image = () => kubectl('get', ...deployment, '--output=jsonpath={.spec.template.spec.containers[0].image}');

test('an overlay installs the operator from your registry, upgrades it, and goes back', async () => {
  overlay('1.0.0');
  await apply();
  for (const version of ['1.1.0', '1.0.0']) {
    overlay(version);
    await apply();
    expect(await image()).toBe(`registry.example.com/operator:${version}`);
  }
});

test('an image that was set by hand is a conflict that names the tool, until the overlay takes it over', async () => {
  overlay('1.0.0');
  await apply('--force-conflicts');
  await kubectl('set', 'image', ...deployment, 'operator=registry.example.com/operator:by-hand');
  overlay('1.1.0');
  await expect(apply()).rejects.toThrow('conflict with "kubectl-set"');
  await apply('--force-conflicts');
  expect(await image()).toBe('registry.example.com/operator:1.1.0');
  overlay('1.2.0');
  await apply();
  expect(await image()).toBe('registry.example.com/operator:1.2.0');
});
