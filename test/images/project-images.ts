import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { operatorImage } from '../../src/install/pods.js';

/** What a Dockerfile begins with, which it lets the builder name by this build argument. */
export type Base = 'NODE_IMAGE' | 'DEBIAN_IMAGE';

/** An image that a Dockerfile of this project makes. */
export interface ProjectImage {
  /** With its tag. */
  readonly name: string;
  /** The folder of its Dockerfile, from the root. */
  readonly folder: string;
  readonly base: Base;
  /** Build arguments. @default none */
  readonly args?: Readonly<Record<string, string>>;
  /** The systems whose tests run it. @default - tests of any system may */
  readonly systems?: readonly string[];
}

/** What `image.json` states, beside each Dockerfile but the operator's. */
interface ImageFile {
  /** Without the repository of the project. */
  readonly name: string;
  readonly base: Base;
  /** The tags. An image with several of them is updated by tests, from one to the next. */
  readonly versions: readonly string[];
  /** The systems whose tests run it, for a large image. @default - tests of any system may */
  readonly systems?: readonly string[];
}

/** Where folders with Dockerfiles lie: of examples, of the product, and of servers that tests on real Pods run. */
const parents = ['examples', 'images', ...foldersIn('test/e2e')];

/** Every image that this project has: the operator's, and those whose Dockerfile has an `image.json` beside it. */
export const projectImages: readonly ProjectImage[] = [
  { name: operatorImage, folder: '.', base: 'NODE_IMAGE' },
  ...dockerfiles().flatMap((folder) => imagesOf(folder, JSON.parse(readFileSync(`${folder}/image.json`, 'utf8')))),
];

/** Folders with a Dockerfile, from the root. */
function dockerfiles(): readonly string[] {
  return parents.flatMap(foldersIn).filter((folder) => existsSync(`${folder}/Dockerfile`));
}

function foldersIn(parent: string): readonly string[] {
  const entries = readdirSync(parent, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return entries.map(({ name }) => `${parent}/${name}`);
}

/** @throws {Error} if the file lacks what it needs */
function imagesOf(folder: string, { name, base, versions, systems }: ImageFile): readonly ProjectImage[] {
  const dockerfile = readFileSync(`${folder}/Dockerfile`, 'utf8');
  if (!name || !(versions?.length > 0)) throw new Error(`${folder}/image.json must have a name and versions`);
  if (!new RegExp(`^ARG ${base}=`, 'm').test(dockerfile))
    throw new Error(`${folder}/image.json: base must be a build argument of ${folder}/Dockerfile, got ${base}`);
  const hasVersion = /^ARG VERSION\b/m.test(dockerfile);
  return versions.map((version) => ({
    ...{ name: named(name, version), folder, base },
    ...(hasVersion && { args: { VERSION: version } }),
    ...(systems && { systems }),
  }));
}

function named(name: string, version: string): string {
  return `registry.alien6.io/reconstruct/${name}:${version}`;
}

/** The images that tests of these systems need. @param systems undefined for all systems */
export function imagesFor(systems: readonly string[] | undefined): readonly ProjectImage[] {
  if (!systems) return projectImages;
  return projectImages.filter((image) => image.systems?.some((one) => systems.includes(one)) ?? true);
}

/**
 * An image of this project, such as `postgres`.
 * @param version one that may be absent, for a test of that. @default - the only one of `image.json`
 * @throws {Error} if no Dockerfile makes an image of the name, or several versions of it
 */
export function projectImage(name: string, version?: string): string {
  const all = projectImages.filter((image) => image.name.startsWith(named(name, '')));
  const [only, another] = all;
  if (!only) throw new Error(`no image.json has the name ${name}: add one beside its Dockerfile`);
  if (version !== undefined) return named(name, version);
  if (another) throw new Error(`${name} has several versions: pass one of them`);
  return only.name;
}

/** The server that Algorithms are tried with, in a version of its table. */
export function serverImage(version: string): string {
  return projectImage('algorithm-server', version);
}
