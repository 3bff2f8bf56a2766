import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';

/** A folder with a project in it. */
export interface Project {
  readonly folder: string;
  /** Runs a program, of its `node_modules/.bin` first. @returns its output @throws {Error} with its output when it fails */
  run(program: string, ...args: string[]): string;
  /** Writes a file, with its folders. */
  write(path: string, content: string): void;
}

/** A project that uses the package, installed from its tarball. */
export interface Consumer extends Project {
  /** The files of the tarball, sorted. */
  readonly packed: readonly string[];
  remove(): void;
}

/** The package as `npm pack` makes it. */
export interface Tarball {
  readonly path: string;
  /** Its files, sorted. */
  readonly packed: readonly string[];
}

/** How long a program may take, in milliseconds: npm that waits for a registry ends too. */
const limit = 600_000;

/** Folders that no package has. Other tests write to hidden folders of `build`. */
const isUnpacked = (path: string) => path !== '.' && /^(\.|node_modules$|coverage$)/.test(basename(path));

/**
 * The package as `npm pack` makes it.
 * @param build of this folder as it is, or a fresh one: files of older builds cannot hide missing ones in it
 */
export function tarballIn(folder: string, build: 'present' | 'fresh'): Tarball {
  const source = join(folder, 'source');
  const isOmitted = (path: string) => isUnpacked(path) || (build === 'fresh' && path === 'build');
  cpSync('.', source, { recursive: true, filter: (path) => !isOmitted(path) });
  symlinkSync(resolve('node_modules'), join(source, 'node_modules'));
  const project = projectIn(source);
  if (build === 'fresh') project.run('npm', 'run', '--silent', 'build');
  const [packed] = JSON.parse(project.run('npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder));
  return { path: join(folder, packed.filename), packed: packed.files.map(({ path }: { path: string }) => path).sort() };
}

/**
 * Packs the package and installs it in an empty folder together with its peers, in the versions that are tested, and without
 * optional packages: the client of Kubernetes and the compiler have more files than all others together.
 */
export function givenConsumer(): Consumer {
  const folder = emptyFolder('consumer-');
  const { path, packed } = tarballIn(folder, 'present');
  const app = projectIn(join(folder, 'app'));
  const versions = ['cdk8s', 'constructs', '@types/node'].map((name) => [name, installed(name)]);
  // The types of Node.js that a project of `cdk8s init` has.
  const dependencies = { ...Object.fromEntries(versions), '@types/node-14': 'npm:@types/node@^14' };
  app.write('package.json', JSON.stringify({ name: 'app', private: true, type: 'module', dependencies }));
  app.run('npm', 'install', '--prefer-offline', '--no-audit', '--omit=optional', '--ignore-scripts', path);
  return { ...app, packed, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A folder for packages. */
export function emptyFolder(prefix: string): string {
  refusePackagesAbove(tmpdir());
  return mkdtempSync(join(tmpdir(), prefix));
}

/** Node looks for packages in every folder above: those would stand in for what the package forgot to ask for. */
function refusePackagesAbove(folder: string): void {
  const packages = join(folder, 'node_modules');
  if (existsSync(packages)) throw new Error(`${packages} would be used by what is tested: remove it, or set TMPDIR`);
  if (dirname(folder) !== folder) refusePackagesAbove(dirname(folder));
}

/** The version of a package that this project has installed. */
export function installed(name: string): string {
  return JSON.parse(readFileSync(join('node_modules', name, 'package.json'), 'utf8')).version;
}

/** @param node folder of the `node` that runs its programs. @default - the one that runs this */
export function projectIn(folder: string, node?: string): Project {
  mkdirSync(folder, { recursive: true });
  const bins = [...(node === undefined ? [] : [node]), join(folder, 'node_modules', '.bin')];
  return {
    folder,
    run: (program, ...args) => output(program, args, { folder, path: [...bins, process.env['PATH']].join(delimiter) }),
    write(path, content) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    },
  };
}

function output(program: string, args: readonly string[], { folder, path }: { folder: string; path: string }): string {
  // The variables of a test runner would change what the programs of a project do, and `npm run --silent` hides warnings.
  const { NODE_ENV: _, VITEST: __, NODE_OPTIONS: ___, npm_config_loglevel: ____, ...own } = process.env;
  const env = { ...own, PATH: path, CDK8S_CHECK_UPGRADE: 'false' };
  try {
    const options = { cwd: folder, env, timeout: limit, maxBuffer: 2 ** 26 };
    return execFileSync(program, args, { ...options, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: string; stdout: string; stderr: string };
    const outcome = code === 'ETIMEDOUT' ? `took more than ${limit / 1000} s` : 'failed';
    throw new Error(`${program} ${args.join(' ')} ${outcome}:\n${stdout}${stderr}`);
  }
}
