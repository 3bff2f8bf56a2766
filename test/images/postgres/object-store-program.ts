import { join } from 'node:path';
import { goProgram } from '../../given/go-program.js';

const module = join(import.meta.dirname, 'object-store');
const program = 'github.com/versity/versitygw/cmd/versitygw';

/** The keys that it knows. */
export const keys = { accessKeyId: 'a-key', secretAccessKey: 'its-secret' };

/** A server that speaks S3. */
export function objectStoreProgram(): Promise<string> {
  return goProgram({ module, program, store: 'object-store' });
}

/** How it is called. @param folder that has `tls.crt`, `tls.key`, and the folders `data` and `facts` */
export function objectStoreLine(path: string, folder: string, address: string): readonly string[] {
  const tls = ['--cert', join(folder, 'tls.crt'), '--key', join(folder, 'tls.key')];
  const who = ['--access', keys.accessKeyId, '--secret', keys.secretAccessKey];
  return [path, '--port', address, ...tls, ...who, 'posix', '--sidecar', join(folder, 'facts'), join(folder, 'data')];
}
