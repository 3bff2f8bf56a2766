import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { App, Chart } from 'cdk8s';
import { describe, expect, it, test } from 'vitest';
import { trainingJobSpec, withDefaults } from '../../crds/index.js';
import { valueProblems } from '../../crds/schema/value-problems.js';
import { parseYaml } from '../../operator/yaml/parse-yaml.js';
import { TrainingWorkerPod } from '../../src/index.js';

const textOf = (name: string) => readFileSync(`examples/14-migration/${name}`, 'utf8');
const page = readFileSync('docs/kinds/training/migration.md', 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);

/** The script on one side of a diff that shows the whole of it. */
const side = (diff: string, sign: '-' | '+') =>
  diff
    .split('\n')
    .filter((line) => line[0] !== (sign === '-' ? '+' : '-'))
    .map((line) => line.slice(1))
    .join('\n');
const changed = (diff: string) => diff.split('\n').filter((line) => /^[-+]/.test(line));

describe('the page about a script with torch', () => {
  const [toInPlace = expect.fail(), toSaved = expect.fail()] = blocks('diff');

  it('moves it into a job with ten changed lines at most', () => {
    expect([side(toInPlace, '-'), side(toInPlace, '+')]).toEqual([textOf('plain.py'), textOf('train.py')]);
    expect(changed(toInPlace).length).toBeLessThanOrEqual(10);
    expect(page).toContain('changes nine lines');
    expect(changed(toInPlace)).toHaveLength(9);
  });

  it('adds what saves it, and takes away one line', () => {
    expect([side(toSaved, '-'), side(toSaved, '+')]).toEqual([textOf('plain.py'), textOf('saved.py')]);
    expect(changed(toSaved).filter((line) => line.startsWith('-'))).toHaveLength(1);
  });
});

describe.each([
  ['in-place.yaml', 'train.py', 'digits'],
  ['restart.yaml', 'plain.py', 'digits-plain'],
  ['restart-saved.yaml', 'saved.py', 'digits-saved'],
])('the manifest %s', (name, script, job) => {
  const [config, resource] = textOf(name).split(/^---$/m).map(parseYaml);

  it('is on the page, and has the script', () => {
    expect(blocks('yaml')).toContain(textOf(name));
    expect(config.data).toEqual({ [script]: textOf(script) });
  });

  it('mounts it where the command reads it, in a valid job', () => {
    expect(valueProblems(trainingJobSpec.json, resource.spec, 'spec')).toEqual([]);
    expect([config.metadata.name, resource.metadata.name]).toEqual([job, job]);
    const chart = new Chart(new App(), 'chart', { namespace: 'ml' });
    const spec = withDefaults(trainingJobSpec, resource.spec);
    new TrainingWorkerPod(chart, 'worker', { name: job, uid: 'uid', spec, worker: { index: 0, attempt: 0 } });
    const [pod] = chart.toJson();
    expect(pod.spec.volumes).toContainEqual({ name: 'app', configMap: { name: job } });
    expect(pod.spec.containers[0].volumeMounts).toContainEqual({ name: 'app', mountPath: '/app', readOnly: true });
    expect(pod.spec.containers[0].command.join(' ')).toContain(`python3 /app/${script}`);
  });
});

test.each(['restart.yaml', 'restart-saved.yaml'])('the command of %s', async (name) => {
  const [, resource] = textOf(name).split(/^---$/m).map(parseYaml);
  const [shell, option, line] = resource.spec.command as readonly string[];
  /** The line with another program, which ends by SIGTERM alone. */
  const running = (program: string) =>
    spawn(shell ?? '', [option ?? '', (line ?? '').replace(/^python3 \S+/, program)]);
  const ended = async (program: string, sends?: NodeJS.Signals) => {
    const began = Date.now();
    const one = running(program);
    if (sends) setTimeout(() => one.kill(sends), 300);
    const [code] = await once(one, 'close');
    return { code, isSoon: Date.now() - began < 20_000 };
  };
  expect(await ended('true'), 'a program that succeeds').toMatchObject({ code: 0 });
  expect(await ended('false'), 'a program that fails').toMatchObject({ code: 1 });
  expect(await ended('sleep 60', 'SIGTERM'), 'a Pod that is deleted').toEqual({ code: 143, isSoon: true });
});

/** The tests of the module run them, where there is torch: `images/training/tests/test_migration.py`. */
test.each(['plain.py', 'train.py', 'saved.py'])('the script %s can be parsed', (name) => {
  const path = `examples/14-migration/${name}`;
  const parse = `import ast, sys; ast.parse(open(sys.argv[1]).read())`;
  expect(
    spawnSync(process.env['RECONSTRUCT_PYTHON'] ?? 'python3', ['-c', parse, path], { encoding: 'utf8' }).stderr,
  ).toBe('');
});
