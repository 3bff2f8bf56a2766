import { describe, expect, test } from 'vitest';
import { buildImages } from './build-images.js';
import { builders, type CommandLine } from './builder.js';
import { imageFlags } from './flags.js';
import { projectImages } from './project-images.js';
import { pushImage, pushLines, pushProblem } from './push-images.js';

const postgres = 'registry.alien6.io/reconstruct/postgres:15.20';
const linesOf = (lines: readonly CommandLine[]) => lines.map((line) => line.join(' '));

describe('an image is pushed with its name and tag', () => {
  test.each([
    ['registry.example.com', 'registry.example.com/postgres:15.20'],
    ['registry.example.com/mirror', 'registry.example.com/mirror/postgres:15.20'],
    ['127.0.0.1:5000/a/b', '127.0.0.1:5000/a/b/postgres:15.20'],
  ])('to %s as %s', (registry, target) => {
    expect(linesOf(pushLines(postgres, { builder: 'docker', registry }))).toEqual([
      `docker tag ${postgres} ${target}`,
      `docker push ${target}`,
    ]);
    for (const builder of ['podman', 'buildah'] as const) {
      expect(linesOf(pushLines(postgres, { builder, registry }))).toEqual([
        `${builder} push ${postgres} docker://${target}`,
      ]);
      expect(linesOf(pushLines(postgres, { builder, registry, isInsecure: true }))).toEqual([
        `${builder} push --tls-verify=false ${postgres} docker://${target}`,
      ]);
    }
  });

  test('each by its own name, so that none replaces another', () => {
    const registry = 'registry.example.com/mirror';
    const run = () => ({ code: 0, stderr: '' });
    const targets = projectImages.map(({ name }) => pushImage(name, { builder: 'docker', registry }, run));
    expect(new Set(targets).size).toBe(projectImages.length);
    expect(targets.every((target) => /^registry\.example\.com\/mirror\/[a-z-]+:[\w.-]+$/.test(target))).toBe(true);
  });

  test('as soon as it is built, so that a refusal ends the builds', () => {
    const built: string[] = [];
    const refusal = () => {
      throw new Error('refused');
    };
    const run = (line: CommandLine) => void built.push(line.join(' '));
    expect(() => buildImages({ builder: 'docker', folder: '/nowhere', run, push: refusal })).toThrow('refused');
    expect(built).toHaveLength(1);
  });
});

describe('a push that fails', () => {
  const target = { builder: 'buildah', registry: 'registry.example.com:5000/mirror' } as const;
  const start = 'registry.example.com:5000/mirror/postgres:15.20 was not pushed: ';

  test.each([
    [
      'registry.example.com:5000 refuses it; run buildah login registry.example.com:5000 with an account that may push',
      'Error: writing blob: initiating layer upload to /v2/postgres/blobs/uploads/ in registry.example.com:5000: unauthorized: authentication required',
    ],
    [
      'registry.example.com:5000 refuses it; run buildah login registry.example.com:5000 with an account that may push',
      'denied: requested access to the resource is denied',
    ],
    [
      'registry.example.com:5000 has no TLS; add --insecure if nobody else can read the network',
      'Error: pinging container registry: Get "https://registry.example.com:5000/v2/": http: server gave HTTP response to HTTPS client',
    ],
    [
      'the certificate of registry.example.com:5000 is not trusted; add its CA to this machine',
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    ],
    [
      'registry.example.com:5000 does not answer; check its name and port',
      'Error: dial tcp 127.0.0.1:5000: connect: connection refused',
    ],
    ['no space left on device', 'Getting image source\nError\nno space left on device\n'],
    ['buildah reported no reason', ''],
  ])('says what to do: %s', (problem, stderr) => {
    expect(pushProblem(postgres, stderr, target)).toBe(`${start}${problem}`);
    expect(() => pushImage(postgres, target, () => ({ code: 1, stderr }))).toThrow(`${start}${problem}`);
  });

  test('names the setting of the Docker daemon, which has no option for it', () => {
    const stderr = 'http: server gave HTTP response to HTTPS client';
    expect(pushProblem(postgres, stderr, { ...target, builder: 'docker' })).toContain(
      'has no TLS; add it to insecure-registries of the Docker daemon',
    );
  });

  test.each(builders)('ends with the first command of %s that fails', (builder) => {
    const lines: string[] = [];
    const run = (line: CommandLine) => {
      lines.push(line.join(' '));
      return { code: 1, stderr: 'denied' };
    };
    expect(() => pushImage(postgres, { ...target, builder }, run)).toThrow(`run ${builder} login`);
    expect(lines).toHaveLength(1);
  });
});

describe('the flags of npm run images', () => {
  const parsed = (...args: readonly string[]) =>
    imageFlags()
      .parse([...args], { from: 'user' })
      .opts();

  test('are none by default', () => {
    expect(parsed()).toEqual({});
    expect(parsed('--push', 'registry.example.com/mirror', '--insecure')).toEqual({
      push: 'registry.example.com/mirror',
      insecure: true,
    });
  });

  test.each(['https://registry.example.com', 'registry.example.com/', 'registry.example.com/postgres:15', ''])(
    'refuse the registry %j',
    (registry) => {
      expect(() => parsed('--push', registry)).toThrow(/^--push: Invalid value: ".*": must be a registry/);
    },
  );
});
