import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Builder, buildLine, type CommandLine } from './builder.js';

/** The name of the image that {@link debianBase} makes: it stays on this machine. */
export const debianBaseImage = 'localhost/reconstruct-node:debian';

/** The machine's certificate authorities, those included by which a proxy on the way signs. */
const authorities = '/etc/ssl/certs/ca-certificates.crt';

/** How {@link debianBase} makes it. */
export interface DebianBaseProps {
  readonly builder: Builder;
  /** An empty one. */
  readonly folder: string;
  /** Runs a command to its end. @throws {Error} when it fails */
  readonly run: (line: CommandLine) => void;
}

/**
 * Makes what the Dockerfiles begin with where there is no registry to get it from: a Debian of packages, with the Node.js
 * and npm that run this program. Takes root, Debian and `mmdebstrap`.
 * @returns the name of the image
 * @throws {Error} when this Node.js has no npm beside it
 */
export function debianBase({ builder, folder, run }: DebianBaseProps): string {
  run(debianLine(join(folder, 'root.tar')));
  if (existsSync(authorities)) copyFileSync(authorities, join(folder, 'authorities.crt'));
  else writeFileSync(join(folder, 'authorities.crt'), '');
  const lines = [
    'FROM scratch',
    'ADD root.tar /',
    `COPY authorities.crt ${authorities}`,
    `ENV NODE_EXTRA_CA_CERTS=${authorities}`,
  ];
  writeFileSync(join(folder, 'Dockerfile'), `${lines.join('\n')}\n`);
  run(buildLine(builder, { name: debianBaseImage, folder }));
  return debianBaseImage;
}

function debianLine(tar: string): CommandLine {
  const prefix = dirname(dirname(process.execPath));
  const npm = join(prefix, 'lib', 'node_modules', 'npm');
  if (!existsSync(npm)) throw new Error(`no npm at ${npm}: run this by a Node.js that was installed with its npm`);
  const hooks = [
    `cp -L '${process.execPath}' "$1/usr/local/bin/node"`,
    `mkdir -p "$1/usr/local/lib/node_modules" && cp -R '${npm}' "$1/usr/local/lib/node_modules/npm"`,
    `ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"`,
  ];
  const sources = '/etc/apt/sources.list.d/debian.sources';
  return [
    'mmdebstrap',
    ...['--variant=minbase', '--mode=root', '--include=ca-certificates,libstdc++6'],
    ...['--aptopt=Apt::Install-Recommends "false"', '--dpkgopt=path-exclude=/usr/share/doc/*'],
    ...hooks.map((hook) => `--customize-hook=${hook}`),
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
