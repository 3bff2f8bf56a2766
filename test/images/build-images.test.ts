import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseSpec, kafkaClusterSpec, withDefaults } from '../../crds/index.js';
import { parseYamlDocuments } from '../../operator/yaml/parse-yaml.js';
import { etcdImage, instanceImage, kafkaImage } from '../../src/index.js';
import { writtenSources } from '../sources.js';
import { type BuildImagesProps, buildImages } from './build-images.js';
import { builderNamed, builders } from './builder.js';
import { debianBaseImages } from './debian-base.js';
import { type Base, projectImage, projectImages, serverImage } from './project-images.js';

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

const last = projectImages.at(-1)?.name;
const kafka = projectImage('kafka', '4.4.0');
const those = (base: Base) => projectImages.filter((image) => image.base === base);

describe('building the images', () => {
  test.each(builders)('builds each image under its name, without other build arguments, with %s', (builder) => {
    const lines = linesOf({ builder });
    expect(lines).toHaveLength(projectImages.length);
    const [server] = lines.filter((line) => line.includes(serverImage('1.2.0')));
    expect(server).toMatch(/--build-arg VERSION=1.2.0 examples\/algorithm-server$/);
    expect(lines).toContain(`${builder} build --tag ${kafka} --build-arg VERSION=4.4.0 images/kafka`);
    expect(lines).toContain(`${builder} build --tag ${projectImage('training')} images/training`);
  });

  test('leaves out the images that only tests of other systems need', () => {
    const lines = linesOf({ systems: ['kafka', 'spark'] });
    const has = (image: string) => lines.some((line) => line.includes(image));
    expect(has(projectImage('spark', '4.3.0'))).toBe(true);
    expect(has(kafka)).toBe(true);
    expect(has(projectImage('training'))).toBe(false);
  });

  test.each([
    {
      given: { nodeImage: 'example.com/node:20' },
      has: '--build-arg NODE_IMAGE=example.com/node:20',
      base: 'NODE_IMAGE',
    },
    {
      given: { debianImage: 'example.com/deb:12' },
      has: '--build-arg DEBIAN_IMAGE=example.com/deb:12',
      base: 'DEBIAN_IMAGE',
    },
  ] as const)('begins those with $base with the one that it is given, and no others', ({ given, has, base }) => {
    const lines = linesOf(given);
    expect(lines.map((line) => line.includes(has))).toEqual(projectImages.map((image) => image.base === base));
  });

  test.each([
    { builder: 'docker', save: `docker save --output DIR/image.tar ${last}` },
    { builder: 'podman', save: `podman save --output DIR/image.tar ${last}` },
    { builder: 'buildah', save: `buildah push ${last} docker-archive:DIR/image.tar:${last}` },
  ] as const)('hands the archive of $builder to the loader', ({ builder, save }) => {
    const lines = linesOf({ builder, loader: 'lab image load' });
    expect(lines.slice(-2)).toEqual([save, `/bin/sh -c lab image load "$@" sh ${last} DIR/image.tar`]);
    expect(lines).toHaveLength(3 * projectImages.length);
  });

  test.skipIf(!existsSync('/etc/debian_version'))('makes the bases first where there are none to get', () => {
    const [root, got, program, npm, debian, node, ...images] = linesOf({ builder: 'buildah', nodeImage: 'debian' });
    expect(root).toContain('mmdebstrap --variant=minbase');
    expect(debian).toBe(`buildah build --tag ${debianBaseImages.DEBIAN_IMAGE} DIR/base/debian`);
    expect(node).toBe(`buildah build --tag ${debianBaseImages.NODE_IMAGE} DIR/base/node`);
    expect(images.filter((line) => line.includes(debianBaseImages.NODE_IMAGE))).toHaveLength(
      those('NODE_IMAGE').length,
    );
    expect(images.filter((line) => line.includes(debianBaseImages.DEBIAN_IMAGE))).toHaveLength(
      those('DEBIAN_IMAGE').length,
    );
    expect(readFileSync(join(folder, 'base', 'debian', 'Dockerfile'), 'utf8')).toMatch(
      /^FROM scratch\nADD root.tar \/\n/,
    );
    expect(got).toMatch(/^npm install .* --prefix DIR\/base\/got node-linux-\w+@26$/);
    expect(program).toMatch(/^cp DIR\/base\/got\/node_modules\/node-linux-\w+\/bin\/node DIR\/base\/node\/bin\/node$/);
    expect(npm).toMatch(/^cp --recursive \S+\/npm DIR\/base\/node\/lib\/node_modules$/);
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
  const objects = parseYamlDocuments(readFileSync('dist/0001-operator.k8s.yaml', 'utf8'));
  const { image } = objects.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0];
  expect(projectImages.map(({ name }) => name)).toContain(image);
  for (const { folder, base } of projectImages)
    expect(readFileSync(join(folder, 'Dockerfile'), 'utf8')).toMatch(
      new RegExp(`^ARG ${base}=[^]*^USER (185|999|1000|9999|65532)`, 'm'),
    );
});

test('each image that the code of the product names is built', () => {
  const root = join(import.meta.dirname, '..', '..');
  const product = writtenSources(root).filter(({ path }) => /^(src|operator|cli)\//.test(path));
  const named = product.flatMap(({ text }) => [...text.matchAll(/registry\.alien6\.io\/reconstruct\/[a-z-]+/g)]);
  const repositories = [...new Set(named.map(([repository]) => repository))];
  expect(repositories).not.toEqual([]);
  expect(
    repositories.filter((one) => !projectImages.some(({ name }) => name.startsWith(`${one}:`))),
    'repositories without an image: write images/<name>/ with a Dockerfile and an image.json',
  ).toEqual([]);
});

test.each([
  etcdImage({}),
  kafkaImage(withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } } })),
  instanceImage(withDefaults(databaseSpec, { storage: { size: '1Gi' } })),
])('the release that the operator runs by default is built: %s', (name) => {
  expect(projectImages.map((image) => image.name)).toContain(name);
});

describe('the image of a name', () => {
  test('is in its only version, or in the one that is passed', () => {
    expect(projectImage('training')).toBe('registry.alien6.io/reconstruct/training:1.0.0');
    expect(projectImage('postgres', '15.0')).toBe('registry.alien6.io/reconstruct/postgres:15.0');
  });

  test('is an error if there is none, or if there are several', () => {
    expect(() => projectImage('train')).toThrow('no image.json has the name train');
    expect(() => projectImage('postgres')).toThrow('postgres has several versions: pass one of them');
  });
});

test.each([
  { name: undefined, is: 'docker' },
  { name: '', is: 'docker' },
  { name: 'buildah', is: 'buildah' },
])('the builder of $name is $is', ({ name, is }) => {
  expect(builderNamed(name)).toBe(is);
});

test('an unknown builder is an error that lists the known ones', () => {
  expect(() => builderNamed('make')).toThrow('must be one of docker, podman, buildah, got make');
});
