import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import { join } from 'node:path';

/** Certificate and key in PEM format. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Milliseconds after which a directory is read again, because a mounted Secret changes in place. */
const every = 60_000;

/** @throws {Error} if a file is missing */
export function certificateIn(folder: string): Certificate {
  const file = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { cert: file('tls.crt'), key: file('tls.key') };
}

/**
 * Updates the certificate of a server whenever its directory changes, for new connections.
 * @param failed called if the directory cannot be read or is incomplete. The server keeps its certificate
 * @returns a function that stops it
 */
export function follow(server: Server, folder: string, failed: (error: unknown) => void): () => void {
  let used = JSON.stringify(certificateIn(folder));
  const timer = setInterval(() => {
    try {
      const found = certificateIn(folder);
      const text = JSON.stringify(found);
      if (text === used) return;
      server.setSecureContext(found);
      used = text;
    } catch (error) {
      failed(error);
    }
  }, every);
  timer.unref();
  return () => clearInterval(timer);
}
