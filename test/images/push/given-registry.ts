import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from '../../../operator/testing/control-plane/free-port.js';
import { GuardedProcess } from '../../../operator/testing/control-plane/guarded-process.js';
import { stringifyYaml } from '../../../operator/yaml/stringify-yaml.js';

/** A registry on the loopback interface without TLS, until it is disposed. */
export interface GivenRegistry extends AsyncDisposable {
  /** Host and port. */
  readonly host: string;
}

/**
 * Starts `docker-registry`.
 * @param isClosed whether it refuses users without credentials. No user has any
 */
export async function givenRegistry(
  program: string,
  { isClosed = false }: { readonly isClosed?: boolean } = {},
): Promise<GivenRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-'));
  const host = `127.0.0.1:${await freePort()}`;
  const config = {
    version: 0.1,
    storage: { filesystem: { rootdirectory: join(folder, 'data') } },
    http: { addr: host },
    ...(isClosed && { auth: { htpasswd: { realm: 'test', path: join(folder, 'htpasswd') } } }),
  };
  const file = join(folder, 'config.yml');
  writeFileSync(file, stringifyYaml(config));
  const registry = new GuardedProcess({ name: 'registry', command: [program, 'serve', file], folder });
  const answers = async () => (await fetch(`http://${host}/v2/`).catch(() => undefined))?.status;
  await vi.waitUntil(async () => (await answers()) !== undefined, { timeout: 120_000 });
  return { host, [Symbol.asyncDispose]: () => registry.dispose() };
}
