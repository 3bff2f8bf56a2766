import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { add, addedFiles, copyOf, insert } from './copy.js';
import { insertions } from './shared-places.js';

const root = join(import.meta.dirname, '..', '..');
const copy = mkdtempSync(join(tmpdir(), 'new-kind-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const textOf = (path: string) => readFileSync(join(copy, path), 'utf8');

/** Runs a command in the copy. @throws {Error} with what it printed */
function run(command: string, ...args: readonly string[]): string {
  try {
    return execFileSync(command, args, { cwd: copy, encoding: 'utf8', stdio: 'pipe', maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${[command, ...args].join(' ')}: ${stdout}${stderr}`);
  }
}

/** A program of a package. */
const program = (name: string, ...args: readonly string[]) => run(join('node_modules', '.bin', name), ...args);
/** `npm run generate`, without its type-check. */
function generate(): void {
  program('tsc', '-p', 'tsconfig.build.json', '--checkers', '1', '--noCheck');
  run(process.execPath, join('build', 'cli', 'generate.js'));
}

/** The steps of CONTRIBUTING.md: the definition and what is generated from it, and all the rest. */
function addKind(): void {
  copyOf(root, copy);
  const isDefinition = (path: string) => path.startsWith('crds/');
  const steps = [isDefinition, (path: string) => !isDefinition(path)];
  for (const isInStep of steps) {
    for (const path of addedFiles().filter(isInStep)) add(copy, path);
    for (const insertion of insertions.filter(({ file }) => isInStep(file))) insert(copy, insertion);
    generate();
  }
  program('cdk8s', 'synth', '--check-upgrade=false');
}

describe('a new kind', () => {
  beforeAll(addKind);

  it('has the right types everywhere, in its engine, options and commands too', () => {
    program('tsc', '--checkers', '1');
  });

  it.each([
    ['docs/README.md', '| Lamp | [concept](kinds/lamp/README.md)'],
    ['docs/commands.md', 'work with Lamps'],
    ['docs/kinds/lamp/conditions.md', 'Replace the bulb.'],
    ['docs/kinds/lamp/conditions.md', 'must be a bulb; name one'],
    ['docs/monitoring/lamp.json', 'Dark lamps'],
    ['docs/monitoring/rules.yaml', 'alert: LampDark'],
    ['docs/operator/alerts.md', '[runbook](../kinds/lamp/runbook.md#lampdark)'],
    ['docs/operator/metrics.md', 'reconstruct_lamp_lit'],
    ['docs/operator/options.md', '--lamp-watts'],
    ['docs/reference/lamp.md', 'Name of the bulb.'],
    ['dist/0000-crds.k8s.yaml', '  name: lamps.reconstruct.dev\n'],
    ['dist/0001-operator.k8s.yaml', '      - lamps/status\n'],
    ['dist/chart/values.yaml', '  lamp: true\n'],
    ['dist/chart/values.schema.json', '"lamp"'],
    ['dist/chart/templates/crds/lamps.reconstruct.dev.yaml', 'if and $.Values.crds.install $.Values.systems.lamp'],
    ['dist/chart/templates/cluster-role.yaml', '      - lamps/status\n'],
    ['docs/operator/helm.md', '`systems.lamp`'],
    ['imports/index.ts', 'lamp'],
  ])('is in %s, which is generated', (page, text) => {
    expect(textOf(page)).toContain(text);
  });

  it('has its options and commands in the programs', () => {
    const help = (file: string) => run(process.execPath, join('build', file), '--help');
    expect(help('operator/main.js')).toContain('--lamp-watts');
    expect(help('cli/main.js')).toContain('work with Lamps');
  });

  it('is found by the checks of the repository', () => {
    const checks = [
      ...['architecture', 'controller-folders', 'docs', 'folders', 'forbidden-imports'].map(
        (name) => `${name}.test.ts`,
      ),
      ...[
        'ci',
        'cli/systems.test.ts',
        'cli/pages',
        'kills',
        'monitoring/monitoring.test.ts',
        'operator/controllers/lamp',
      ],
      ...['operator/engines/engines.test.ts', 'rendered', 'systems', 'upgrade'],
    ].map((name) => join('test', name));
    // The code on the pages takes long, and no page of the kind has any.
    program('vitest', 'run', '--project', 'unit', '--testNamePattern', '^(?!the code on the pages)', ...checks);
  });
});
