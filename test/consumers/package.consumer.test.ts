import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { emptyFolder, type Project, projectIn, type Tarball, tarballIn } from '../given/consumer.js';
import { main, mainTest, operator, templateIn } from './template.js';

/** The oldest release that `engines` allows, and the release lines after it. */
const releases = ['20.19.0', '22', '24'];

/** The package with the `node` of a release in the project, and what it installs. */
const nodePackage = (release: string) => `node-${release.split('.')[0]}`;
const nodePackages = Object.fromEntries(
  releases.map((release) => [nodePackage(release), `npm:node-${process.platform}-${process.arch}@${release}`]),
);

/** Programs in a project of their own, so that npm does not report their packages to the app. */
const programs = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5', 'tsx@4'];

/** Installations and builds, most of which wait for a registry or the disk. */
const minutes = 60_000;

let folder: string;
let tarball: Tarball;
let app: Project;
let tools: Project;
beforeAll(() => {
  folder = emptyFolder('consumers-');
  tarball = tarballIn(folder, 'fresh');
  app = templateIn(join(folder, 'app'), nodePackages);
  app.write('main.ts', main);
  app.write('main.test.ts', mainTest);
  app.write('operator.ts', operator);
  tools = projectIn(join(folder, 'tools'));
  tools.run('npm', 'install', '--prefer-offline', '--no-audit', '--prefix', '.', ...programs);
}, 20 * minutes);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The objects that a run of the app has written, as kind and name. */
function objectsIn(project: Project): readonly string[] {
  const file = join(project.folder, 'dist', 'app.k8s.yaml');
  const objects = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS());
  rmSync(file);
  return objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

/** The app, whose programs run with the `node` of a release. */
const withNode = (release: string) =>
  projectIn(app.folder, join(app.folder, 'node_modules', nodePackage(release), 'bin'));

const written = ['Deployment translator', 'Algorithm reco', 'Database orders', 'Deployment reconstruct'];

describe('a project of cdk8s init typescript-app', { timeout: 10 * minutes }, () => {
  test('installs the tarball with the oldest Node.js, without a warning', () => {
    const npm = (...args: string[]) => withNode('20.19.0').run('sh', '-c', `npm ${args.join(' ')} 2>&1`);
    const printed = npm('install', '--engine-strict', '--prefer-offline', '--no-audit', '--no-fund', tarball.path);
    expect(printed).toMatch(/^\nadded \d+ packages? in \S+\n$/);
    expect(npm('ls')).not.toMatch(/invalid|missing|unmet/i);
  });

  test('compiles, as CommonJS and as an ES module', () => {
    expect(app.run('npm', 'run', '--silent', 'compile')).toBe('');
    for (const file of readdirSync(app.folder).filter((name) => /^(main|operator).*\.js$/.test(name)))
      rmSync(join(app.folder, file));
    const compilerOptions = { module: 'NodeNext', target: 'ES2022', lib: ['ES2022'], strict: true };
    app.write('module/main.mts', main);
    app.write('module/tsconfig.json', JSON.stringify({ compilerOptions, files: ['main.mts'] }));
    expect(app.run('tsc', '--project', 'module')).toBe('');
  });

  test.each(releases)('runs with Node.js %s: cdk8s synth with ts-node, tsx, an ES module, Jest', (release) => {
    const project = withNode(release);
    expect(project.run('node', '--version')).toMatch(new RegExp(`^v${release.replaceAll('.', '\\.')}\\b`));
    project.run('npm', 'run', '--silent', 'synth');
    const bySynth = objectsIn(project);
    expect(bySynth).toEqual(expect.arrayContaining(written));
    project.run(join(tools.folder, 'node_modules', '.bin', 'tsx'), 'main.ts');
    expect(objectsIn(project)).toEqual(bySynth);
    project.run('node', 'module/main.mjs');
    expect(objectsIn(project)).toEqual(bySynth);
    // The first release writes the snapshot, and the others compare with it.
    project.run('npm', 'test', '--', `--ci=${release !== releases[0]}`);
    rmSync(join(app.folder, 'dist'), { recursive: true });
  });

  test.each(releases)('tests with node --test in Node.js %s, in CommonJS and in ESM', (release) => {
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
    app.write('own/a.test.cjs', `${lines((module, names) => `const ${names} = require('${module}');`)}\n${body}`);
    app.write('own/b.test.mjs', `${lines((module, names) => `import ${names} from '${module}';`)}\n${body}`);
    const printed = withNode(release).run('node', '--test', 'own/a.test.cjs', 'own/b.test.mjs');
    expect(printed).toMatch(/^(# |ℹ )pass 2$/m);
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
    copyFileSync(
      join(app.folder, 'node_modules/cdk8s-reconstruct/dist/0000-crds.k8s.yaml'),
      join(app.folder, 'crds.yaml'),
    );
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

describe('the tarball', { timeout: 10 * minutes }, () => {
  test('is published without a warning', () => {
    const source = join(folder, 'source');
    const printed = projectIn(source).run('sh', '-c', 'npm publish --dry-run --ignore-scripts 2>&1');
    const problems = printed.split('\n').filter((line) => /^npm (warn|error)/.test(line));
    // npm says this to whoever only tries it.
    expect(problems.filter((line) => !line.includes('requires you to be logged in'))).toEqual([]);
  });

  test.each([
    ['publint', 'publint', ['--strict']],
    ['Are the types wrong?', 'attw', []],
  ])('has no problem for %s', (_, program, args) => {
    expect(tools.run(program, ...args, tarball.path)).toMatch(/All good!|No problems found/);
  });
});
