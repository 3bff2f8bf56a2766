import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type BuildImagesProps, buildImages } from './build-images.js';
import { builderNamed, builders } from './builder.js';
import { debianBaseImage } from './debian-base.js';
import { projectImages, serverImage } from './project-images.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'images-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The command lines that building takes, one string each; the folder is `DIR`. */
function linesOf(props: Partial<BuildImagesProps>): readonly string[] {
  const lines: string[] = [];
  const run = (line: readonly string[]) => void lines.push(line.join(' ').replaceAll(folder, 'DIR'));
  buildImages({ builder: 'docker', folder, run, ...props });
  return lines;
}

const server = serverImage('1.2.0');

describe('building the images', () => {
  test.each(builders)('makes each under its name, and hands nothing over that nobody asks for, by %s', (builder) => {
    const lines = linesOf({ builder });
    expect(lines).toHaveLength(projectImages.length);
    expect(lines.at(-1)).toBe(`${builder} build --tag ${server} --build-arg VERSION=1.2.0 examples/algorithm-server`);
  });

  test('begins with the base that it is given', () => {
    const lines = linesOf({ nodeImage: 'example.com/node:20' });
    expect(lines.filter((line) => !line.includes('--build-arg NODE_IMAGE=example.com/node:20'))).toEqual([]);
  });

  test.each([
    { builder: 'docker', save: `docker save --output DIR/image.tar ${server}` },
    { builder: 'podman', save: `podman save --output DIR/image.tar ${server}` },
    { builder: 'buildah', save: `buildah push ${server} docker-archive:DIR/image.tar:${server}` },
  ] as const)('hands the archive of $builder to the loader', ({ builder, save }) => {
    const lines = linesOf({ builder, loader: 'lab image load' });
    expect(lines.slice(-2)).toEqual([save, `/bin/sh -c lab image load "$@" sh ${server} DIR/image.tar`]);
    expect(lines).toHaveLength(3 * projectImages.length);
  });

  test.skipIf(!existsSync('/etc/debian_version'))('makes the base first where there is none to get', () => {
    const [root, base, ...images] = linesOf({ builder: 'buildah', nodeImage: 'debian' });
    expect(root).toContain('mmdebstrap --variant=minbase');
    expect(base).toBe(`buildah build --tag ${debianBaseImage} DIR/base`);
    expect(images.filter((line) => !line.includes(`NODE_IMAGE=${debianBaseImage}`))).toEqual([]);
    expect(readFileSync(join(folder, 'base', 'Dockerfile'), 'utf8')).toMatch(/^FROM scratch\nADD root.tar \/\n/);
  });

  test('stops at the first command that fails', () => {
    const ran: string[] = [];
    const run = ([program]: readonly string[]) => {
      ran.push(String(program));
      throw new Error('docker ended with 1');
    };
    expect(() => buildImages({ builder: 'docker', folder, run })).toThrow('docker ended with 1');
    expect(ran).toHaveLength(1);
  });
});

test('the images are those that dist/ runs, and each has a Dockerfile', () => {
  const objects = parseAllDocuments(readFileSync('dist/0001-operator.k8s.yaml', 'utf8')).map((one) => one.toJS());
  const { image } = objects.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0];
  expect(projectImages.map(({ name }) => name)).toContain(image);
  for (const { folder } of projectImages)
    expect(readFileSync(join(folder, 'Dockerfile'), 'utf8')).toContain('USER 65532');
});

test.each([
  { name: undefined, is: 'docker' },
  { name: '', is: 'docker' },
  { name: 'buildah', is: 'buildah' },
])('the builder of $name is $is', ({ name, is }) => {
  expect(builderNamed(name)).toBe(is);
});

test('a builder that nobody knows is refused with those that are', () => {
  expect(() => builderNamed('make')).toThrow('must be one of docker, podman, buildah, got make');
});
