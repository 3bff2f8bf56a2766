import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubectl } from '../e2e/cluster/kubectl.js';
import { archiveLine, type Builder, builderNamed, buildLine, loadLine } from '../images/builder.js';
import { debianBaseImages } from '../images/debian-base.js';

const {
  RECONSTRUCT_IMAGE_BUILDER: stated,
  RECONSTRUCT_NODE_IMAGE: nodeImage,
  RECONSTRUCT_IMAGE_LOADER: loader,
} = process.env;

/** An operator that can be installed: its image is on the nodes. */
export interface Release {
  readonly image: string;
  /** The arguments of each apply, with the text of its standard input: of an overlay, or of the CRDs and the operator. */
  readonly applies: readonly { readonly args: readonly string[]; readonly input?: string }[];
}

/** The base of users' overlays, which earlier revisions do not have. */
const base = join('dist', 'kustomize');
/** The files that users of those apply. */
const files = ['0000-crds.k8s.yaml', '0001-operator.k8s.yaml'];
const operator = 'registry.alien6.io/reconstruct/operator';
/** The image of the operator in them. */
const imageLine = /registry\.alien6\.io\/reconstruct\/operator:[\w.-]+/g;

/**
 * The operator of a revision, which is built in a folder. An image that was built before is not built again.
 * @throws {Error} for an unknown revision
 */
export function releaseOf(revision: string, folder: string): Release {
  const commit = execFileSync('git', ['rev-parse', '--verify', `${revision}^{commit}`], { encoding: 'utf8' }).trim();
  const sources = join(folder, commit);
  mkdirSync(sources);
  const archive = join(folder, `${commit}.tar`);
  run('git', 'archive', '--output', archive, commit);
  run('tar', '--extract', '--file', archive, '--directory', sources);
  rmSync(archive);
  return built({ sources, tag: `upgrade-${commit.slice(0, 12)}`, folder });
}

/** The operator of the checkout, with changes that are not committed. */
export function releaseOfCheckout(folder: string): Release {
  return built({ sources: '.', tag: `upgrade-${Date.now().toString(36)}`, folder });
}

interface Build {
  readonly sources: string;
  readonly tag: string;
  /** For the archive. */
  readonly folder: string;
}

function built({ sources, tag, folder }: Build): Release {
  const builder = builderNamed(stated);
  const image = `${operator}:${tag}`;
  // `npm run images` has built it.
  const node = nodeImage === 'debian' ? debianBaseImages.NODE_IMAGE : nodeImage;
  if (!isBuilt(builder, image)) run(...buildLine(builder, { name: image, folder: sources, base: 'NODE_IMAGE' }, node));
  if (loader) {
    const archive = join(folder, 'image.tar');
    run(...archiveLine(builder, image, archive));
    run(...loadLine(loader, image, archive));
    rmSync(archive);
  }
  if (existsSync(join(sources, base))) return { image, applies: [{ args: ['-k', overlay({ sources, tag, folder })] }] };
  const textOf = (name: string) => readFileSync(join(sources, 'dist', name), 'utf8').replace(imageLine, image);
  return { image, applies: files.map((name) => ({ args: ['--force-conflicts', '-f', '-'], input: textOf(name) })) };
}

/** The folder of an overlay as users write it. */
function overlay({ sources, tag, folder }: Build): string {
  const own = join(folder, `overlay-${tag}`);
  cpSync(join(sources, base), join(own, 'base'), { recursive: true });
  const images = [{ name: operator, newTag: tag }];
  writeFileSync(join(own, 'kustomization.yaml'), JSON.stringify({ resources: ['base'], images }));
  return own;
}

function isBuilt(builder: Builder, image: string): boolean {
  const args = builder === 'buildah' ? ['inspect', '--type=image', image] : ['image', 'inspect', image];
  return spawnSync(builder, args, { stdio: 'ignore' }).status === 0;
}

/** @throws {Error} when it fails */
function run(program: string, ...args: readonly string[]): void {
  console.log(`+ ${[program, ...args].join(' ')}`);
  const { status, error, stderr, stdout } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (error) throw new Error(`${program} does not run: ${error.message}`);
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${`${stdout}${stderr}`.slice(-2_000)}`);
}

/** Installs the operator, or upgrades the one that is there, as users do. */
export async function install({ applies }: Release): Promise<void> {
  for (const { args, input } of applies) await kubectl(['apply', '--server-side', ...args], input);
  await kubectl(['wait', '--for=condition=Established', 'crd/kafkaclusters.reconstruct.dev', '--timeout=30s']);
}
