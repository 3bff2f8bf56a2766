import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { programStore } from '../../../operator/testing/binaries/cache-folder.js';
import { go } from '../../../operator/testing/binaries/go.js';

const module = join(import.meta.dirname, 'object-store');
const program = 'github.com/versity/versitygw/cmd/versitygw';

/** The keys that it knows. */
export const keys = { accessKeyId: 'a-key', secretAccessKey: 'its-secret' };

/** A server that speaks S3, in the user's cache; built if it is not there: another version has another path. */
export async function objectStoreProgram(): Promise<string> {
  const sources = await Promise.all(['go.mod', 'go.sum'].map((name) => readFile(join(module, name), 'utf8')));
  const key = createHash('sha256').update(sources.join('\n')).digest('hex').slice(0, 12);
  const path = join(programStore(process.env, 'object-store'), key, 'versitygw');
  if (existsSync(path)) return path;
  console.error(`building ${program} once, in about a minute on 2 cores: ${path}`);
  await mkdir(dirname(path), { recursive: true });
  const partial = await mkdtemp(`${path}-partial-`);
  try {
    const output = join(partial, 'versitygw');
    await go(['build', '-trimpath', '-buildvcs=false', '-ldflags', '-s -w', '-o', output, program], {
      ...{ folder: module, env: process.env },
    });
    await rename(output, path);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return path;
}

/** How it is called. @param folder that has `tls.crt`, `tls.key`, and the folders `data` and `facts` */
export function objectStoreLine(path: string, folder: string, address: string): readonly string[] {
  const tls = ['--cert', join(folder, 'tls.crt'), '--key', join(folder, 'tls.key')];
  const who = ['--access', keys.accessKeyId, '--secret', keys.secretAccessKey];
  return [path, '--port', address, ...tls, ...who, 'posix', '--sidecar', join(folder, 'facts'), join(folder, 'data')];
}
