import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { parseYaml } from '../../yaml/parse-yaml.js';
import type { BinarySource, Component } from './binary-source.js';
import { archiveStore } from './cache-folder.js';
import { executablesIn, goPlatform, newestFirst } from './executables.js';

/** The index of the archives that envtest publishes. */
export const defaultArchiveIndex =
  'https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml';

const published: readonly Component[] = ['etcd', 'kube-apiserver', 'kubectl'];
const patienceMs = 5_000;

/** An archive of the index. */
interface Archive {
  /** Version of the release, such as `v1.36.0`. */
  readonly version: string;
  /** SHA-512 of the archive, hexadecimal. */
  readonly hash: string;
  readonly selfLink: string;
}

/** The index: the archives of each version, by name. */
interface Index {
  readonly releases: Readonly<Record<string, Readonly<Record<string, Omit<Archive, 'version'>>>>>;
}

/** The newest stable release that envtest publishes for this platform, downloaded into the user's cache. */
export const publishedArchive: BinarySource = {
  name: "envtest's published archive",
  cost: 'download',
  async find({ needs, env, archiveIndex, say }) {
    const unpublished = needs.filter((component) => !published.includes(component));
    if (unpublished.length > 0) return { absent: `it has no ${unpublished.join(', ')}` };
    try {
      const archive = newestArchive(
        parseYaml((await download(archiveIndex, AbortSignal.timeout(patienceMs))).toString('utf8')),
      );
      say(`downloading Kubernetes ${archive.version}: ${archive.selfLink}`);
      const folder = join(archiveStore(env), `${archive.version}-${goPlatform}`);
      await unpack(verified(await download(archive.selfLink), archive), folder);
      return await executablesIn(folder, needs);
    } catch (error) {
      return { absent: `${archiveIndex}: ${reason(error)}` };
    }
  },
};

function newestArchive(index: Partial<Index> | null): Archive {
  const stable = Object.entries(index?.releases ?? {}).filter(([version]) => !version.includes('-'));
  const archives = stable
    .sort(([a], [b]) => newestFirst(a, b))
    .flatMap(([version, byName]) => {
      const archive = byName[`envtest-${version}-${goPlatform}.tar.gz`];
      return archive === undefined ? [] : [{ version, ...archive }];
    });
  const [newest] = archives;
  if (newest === undefined) throw new Error(`the index has no stable release for ${goPlatform}`);
  return newest;
}

// Large files have no total timeout, only a timeout for silence. With a signal, only the signal limits the time.
async function download(url: string, signal?: AbortSignal): Promise<Buffer> {
  const silence = signal ? 0 : patienceMs;
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: patienceMs },
    headersTimeout: silence,
    bodyTimeout: silence,
  });
  try {
    const response = await fetch(url, { dispatcher, ...(signal && { signal }) });
    if (!response.ok) throw new Error(`GET ${url} returned ${response.status} ${response.statusText}`);
    return Buffer.from(await response.arrayBuffer());
  } finally {
    await dispatcher.destroy();
  }
}

function verified(bytes: Buffer, { hash, selfLink }: Archive): Buffer {
  const actual = createHash('sha512').update(bytes).digest('hex');
  if (actual === hash) return bytes;
  throw new Error(`${selfLink} has SHA-512 ${actual}, must be ${hash} according to the index; try again`);
}

async function unpack(archive: Buffer, folder: string): Promise<void> {
  await mkdir(join(folder, '..'), { recursive: true });
  const partial = await mkdtemp(`${folder}-partial-`);
  try {
    await pipeline(Readable.from([archive]), extract({ cwd: partial, strip: 2 })); // controller-tools/envtest/…
    // If the folder exists, another process has unpacked the same archive first.
    await rename(partial, folder).catch(() => {});
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

// The message of fetch is only "fetch failed". Its cause has the details.
function reason(error: unknown): string {
  const { cause, message } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error
    ? `${message}: ${cause.message || ('code' in cause ? String(cause.code) : cause.name)}`
    : message;
}
