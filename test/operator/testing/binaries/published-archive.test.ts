import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { create } from 'tar';
import { afterEach, describe, expect, it } from 'vitest';
import { goPlatform } from '../../../../operator/testing/binaries/executables.js';
import { userCache } from '../../../../operator/testing/binaries/find-binaries.js';
import { publishedArchive } from '../../../../operator/testing/binaries/published-archive.js';
import { stringifyYaml } from '../../../../operator/yaml/stringify-yaml.js';
import { givenFolder, givenPrograms, givenSearch } from './given-binaries.js';

const programs = ['etcd', 'kube-apiserver', 'kubectl'];
const versions = ['v1.9.3', 'v1.10.0', 'v1.11.0-beta.0'];
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Serves answers by path, and `undefined` by silence; returns its address. */
async function givenServer(answer: (path: string, address: string) => Buffer | string | undefined): Promise<string> {
  let address = '';
  server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/moved/')) return response.writeHead(302, { location: url.slice('/moved'.length) }).end();
    const body = answer(url, address);
    return body === undefined ? response : response.end(body);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return address;
}

/** An archive of the form that envtest publishes. */
async function givenArchive(): Promise<Buffer> {
  const folder = await givenFolder();
  await givenPrograms(join(folder, 'controller-tools', 'envtest'), programs);
  const file = join(folder, 'archive.tar.gz');
  await create({ file, cwd: folder, gzip: true }, ['controller-tools']);
  return readFile(file);
}

/** An index of the form that envtest publishes. */
function indexOf(address: string, hash: string): string {
  const archivesOf = (version: string) =>
    ['plan9-mips', goPlatform].map((platform) => {
      const name = `envtest-${version}-${platform}.tar.gz`;
      return [name, { hash, selfLink: `${address}/moved/${name}` }];
    });
  return stringifyYaml({
    releases: Object.fromEntries(versions.map((version) => [version, Object.fromEntries(archivesOf(version))])),
  });
}

async function givenRelease(hashOf = (archive: Buffer) => createHash('sha512').update(archive).digest('hex')) {
  const archive = await givenArchive();
  const address = await givenServer((path, own) => (path === '/index.yaml' ? indexOf(own, hashOf(archive)) : archive));
  return { ...(await givenSearch()), archiveIndex: `${address}/index.yaml` };
}

describe("envtest's published archive", () => {
  it('is downloaded into the cache, the newest stable release of this platform, through a redirect', async () => {
    const search = await givenRelease();
    const folder = join(search.home, 'cache', 'cdk8s-reconstruct', 'envtest', `v1.10.0-${goPlatform}`);
    const binaries = Object.fromEntries(programs.map((name) => [name, [join(folder, name)]]));
    expect(await publishedArchive.find(search)).toEqual({ binaries });
    expect(search.said).toEqual([expect.stringContaining('downloading Kubernetes v1.10.0: http://127.0.0.1')]);
    expect(await userCache.find(search)).toEqual({ binaries });
  });

  it('is found good by two processes that download it at once', async () => {
    const search = await givenRelease();
    const findings = await Promise.all([publishedArchive.find(search), publishedArchive.find(search)]);
    expect(findings).toEqual([findings[0], findings[0]]);
    expect(findings[0]).toHaveProperty('binaries');
    expect(await readdir(join(search.home, 'cache', 'cdk8s-reconstruct', 'envtest'))).toEqual([
      `v1.10.0-${goPlatform}`,
    ]);
  });

  it('is rejected if its checksum differs from the index, and leaves no files', async () => {
    const search = await givenRelease(() => 'abc');
    expect(await publishedArchive.find(search)).toEqual({
      absent: expect.stringMatching(/has SHA-512 .*, must be abc/),
    });
    expect(existsSync(join(search.home, 'cache'))).toBe(false);
  });

  it('is not even looked for when it lacks what is needed', async () => {
    const search = { ...(await givenSearch()), needs: ['etcd', 'kube-controller-manager'] as const };
    expect(await publishedArchive.find(search)).toEqual({ absent: 'it has no kube-controller-manager' });
  });

  it('fails at once without an answer', async () => {
    const finding = await publishedArchive.find(await givenSearch());
    expect(finding).toEqual({
      absent: expect.stringContaining('http://127.0.0.1:65535/index.yaml: fetch failed: connect ECONNREFUSED'),
    });
  });

  it('is given up after a while where a server says nothing', async () => {
    const address = await givenServer(() => undefined);
    const finding = await publishedArchive.find({ ...(await givenSearch()), archiveIndex: address });
    expect(finding).toEqual({ absent: `${address}: The operation was aborted due to timeout` });
  });

  it.each([
    ['', 'the index has no stable release for'],
    ['releases: {}', 'the index has no stable release for'],
    ['releases: {v1.1.0: {}}', 'the index has no stable release for'],
    ['{', 'Flow map'],
  ])('is given up where the index is %j', async (index, reason) => {
    const address = await givenServer(() => index);
    const finding = await publishedArchive.find({ ...(await givenSearch()), archiveIndex: address });
    expect(finding).toEqual({ absent: expect.stringContaining(reason) });
  });
});
