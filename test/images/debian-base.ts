import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Builder, buildLine, type CommandLine } from './builder.js';
import type { Base } from './project-images.js';

/** The names of the images that {@link debianBases} makes: they stay on this machine. */
export const debianBaseImages: Readonly<Record<Base, string>> = {
  DEBIAN_IMAGE: 'localhost/reconstruct-debian:base',
  NODE_IMAGE: 'localhost/reconstruct-node:debian',
};

/** The machine's certificate authorities, those included by which a proxy on the way signs. */
const authorities = '/etc/ssl/certs/ca-certificates.crt';

/** How {@link debianBases} makes them. */
export interface DebianBasesProps {
  readonly builder: Builder;
  /** An empty one. */
  readonly folder: string;
  /** Runs a command to its end. @throws {Error} when it fails */
  readonly run: (line: CommandLine) => void;
}

/**
 * Makes what the Dockerfiles begin with where there is no registry of images to get it from: a Debian of packages, and one
 * with a Node.js from the npm registry. Takes root, Debian and `mmdebstrap`.
 * @returns the names of the images
 * @throws {Error} when this Node.js has no npm beside it
 */
export function debianBases({ builder, folder, run }: DebianBasesProps): Readonly<Record<Base, string>> {
  const debian = contextOf(folder, 'debian', [
    'FROM scratch',
    'ADD root.tar /',
    `COPY authorities.crt ${authorities}`,
    `ENV NODE_EXTRA_CA_CERTS=${authorities}`,
  ]);
  run(debianLine(join(debian, 'root.tar')));
  if (existsSync(authorities)) copyFileSync(authorities, join(debian, 'authorities.crt'));
  else writeFileSync(join(debian, 'authorities.crt'), '');
  const node = contextOf(folder, 'node', [
    `FROM ${debianBaseImages.DEBIAN_IMAGE}`,
    'COPY . /usr/local/',
    'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
  ]);
  for (const line of nodeLines(node)) run(line);
  for (const [base, own] of [
    ['DEBIAN_IMAGE', debian],
    ['NODE_IMAGE', node],
  ] as const)
    run(buildLine(builder, { name: debianBaseImages[base], folder: own, base }));
  return debianBaseImages;
}

/** A folder with a Dockerfile of these lines. */
function contextOf(folder: string, name: string, lines: readonly string[]): string {
  const own = join(folder, name);
  mkdirSync(own);
  writeFileSync(join(own, 'Dockerfile'), `${lines.join('\n')}\n`);
  writeFileSync(join(own, '.dockerignore'), 'Dockerfile\n.dockerignore\n');
  return own;
}

/** What puts the Node.js that the images are for, and the npm of this one, into a folder. */
function nodeLines(folder: string): readonly CommandLine[] {
  const npm = join(dirname(dirname(process.execPath)), 'lib', 'node_modules', 'npm');
  if (!existsSync(npm)) throw new Error(`no npm at ${npm}: run this by a Node.js that was installed with its npm`);
  const modules = join(folder, 'lib', 'node_modules');
  mkdirSync(join(folder, 'bin'));
  mkdirSync(modules, { recursive: true });
  const got = join(dirname(folder), 'got');
  const name = `node-linux-${process.arch}`;
  return [
    ['npm', 'install', '--no-save', '--ignore-scripts', '--no-audit', '--prefix', got, `${name}@${nodeVersion()}`],
    ['cp', join(got, 'node_modules', name, 'bin', 'node'), join(folder, 'bin', 'node')],
    ['cp', '--recursive', npm, modules],
  ];
}

/** The major version that the operator's image has wherever it is built. */
function nodeVersion(): string {
  const [, version] = /^ARG NODE_IMAGE=node:(\d+)-/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  if (version) return version;
  throw new Error('the Dockerfile has no line ARG NODE_IMAGE=node:VERSION-...');
}

function debianLine(tar: string): CommandLine {
  const sources = '/etc/apt/sources.list.d/debian.sources';
  return [
    'mmdebstrap',
    ...['--variant=minbase', '--mode=root', '--include=ca-certificates,libatomic1,libstdc++6'],
    ...['--aptopt=Apt::Install-Recommends "false"', '--dpkgopt=path-exclude=/usr/share/doc/*'],
    ...[codename(), tar],
    ...(existsSync(sources) ? [sources] : []),
  ];
}

/** The release of the Debian that this is, as `bookworm`. */
function codename(): string {
  const [, name] = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
  if (name) return name;
  throw new Error('/etc/os-release has no VERSION_CODENAME: name a base in RECONSTRUCT_NODE_IMAGE instead of debian');
}
