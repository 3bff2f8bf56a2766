import type { ProjectImage } from './project-images.js';

/** A command line: the program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** The programs that can build from a Dockerfile. */
export const builders = ['docker', 'podman', 'buildah'] as const;
export type Builder = (typeof builders)[number];

/** @param name as the environment says it; undefined for the usual one. @throws {Error} when it is none of {@link builders} */
export function builderNamed(name: string | undefined): Builder {
  const builder = name ? builders.find((one) => one === name) : 'docker';
  if (builder) return builder;
  throw new Error(`RECONSTRUCT_IMAGE_BUILDER must be one of ${builders.join(', ')}, got ${name}`);
}

/** What builds an image under its name. @param base what its Dockerfile begins with; undefined for its own choice */
export function buildLine(builder: Builder, image: ProjectImage, base?: string): CommandLine {
  const args = Object.entries({ ...image.args, ...(base && { [image.base]: base }) });
  const options = args.flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
  return [builder, 'build', '--tag', image.name, ...options, image.folder];
}

/** What writes an image that was built into an archive, in Docker's format. */
export function archiveLine(builder: Builder, name: string, archive: string): CommandLine {
  if (builder === 'buildah') return [builder, 'push', name, `docker-archive:${archive}:${name}`];
  return [builder, 'save', '--output', archive, name];
}

/** What hands an archive to the nodes. @param loader a line of shell, which gets the image's name and the archive */
export function loadLine(loader: string, name: string, archive: string): CommandLine {
  return ['/bin/sh', '-c', `${loader} "$@"`, 'sh', name, archive];
}
