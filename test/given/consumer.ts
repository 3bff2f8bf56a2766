import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';

/** A project that uses the package, installed from its tarball. */
export interface Consumer {
  readonly folder: string;
  /** The files of the tarball, sorted. */
  readonly packed: readonly string[];
  /** Runs a program, of its `node_modules/.bin` first. @returns its output @throws {Error} with its output when it fails */
  run(program: string, ...args: string[]): string;
  write(path: string, content: string): void;
  remove(): void;
}

/** The override that the documentation requires. */
const { overrides } = JSON.parse(readFileSync('package.json', 'utf8')) as { overrides: object };

const notPacked = new Set(['node_modules', '.git', 'build', 'coverage']);

/** The package as it is packed from a fresh build: what older builds left in `build/` cannot hide what is missing. */
function tarballIn(folder: string): { readonly path: string; readonly packed: readonly string[] } {
  const source = join(folder, 'source');
  cpSync('.', source, { recursive: true, filter: (path) => !notPacked.has(basename(path)) });
  symlinkSync(resolve('node_modules'), join(source, 'node_modules'));
  output('tsc', ['-p', 'tsconfig.build.json'], source);
  const [packed] = JSON.parse(npm(source, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder));
  return { path: join(folder, packed.filename), packed: packed.files.map(({ path }: { path: string }) => path).sort() };
}

/** Packs the package and installs it in an empty folder together with its peers, in the versions that are tested. */
export function givenConsumer(): Consumer {
  refusePackagesAbove(tmpdir());
  const folder = mkdtempSync(join(tmpdir(), 'consumer-'));
  const { path, packed } = tarballIn(folder);
  const app = join(folder, 'app');
  mkdirSync(app);
  const versions = ['cdk8s', 'cdk8s-plus-27', 'constructs', 'typescript', '@types/node'].map(installed);
  writeFileSync(
    join(app, 'package.json'),
    JSON.stringify({
      name: 'app',
      private: true,
      type: 'module',
      dependencies: Object.fromEntries(versions),
      overrides,
    }),
  );
  npm(app, 'install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', path);
  return {
    folder: app,
    packed,
    run: (program, ...args) => output(program, args, app),
    write: (name, content) => writeFileSync(join(app, name), content),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Node looks for packages in every folder above: those would stand in for what the package forgot to ask for. */
function refusePackagesAbove(folder: string): void {
  const packages = join(folder, 'node_modules');
  if (existsSync(packages)) throw new Error(`${packages} would be used by what is tested: remove it, or set TMPDIR`);
  if (dirname(folder) !== folder) refusePackagesAbove(dirname(folder));
}

function installed(name: string): [name: string, version: string] {
  return [name, JSON.parse(readFileSync(join('node_modules', name, 'package.json'), 'utf8')).version];
}

function npm(cwd: string, ...args: string[]): string {
  return output('npm', args, cwd);
}

function output(program: string, args: readonly string[], cwd: string): string {
  const env = { ...process.env, PATH: [join(cwd, 'node_modules', '.bin'), process.env['PATH']].join(delimiter) };
  try {
    return execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  }
}
