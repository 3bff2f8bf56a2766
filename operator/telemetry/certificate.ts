import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import { join } from 'node:path';

/** PEM texts. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Milliseconds after which a folder is read again: a mounted Secret changes under its readers. */
const every = 60_000;

/** @throws {Error} when a file is missing */
export function certificateIn(folder: string): Certificate {
  const file = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { cert: file('tls.crt'), key: file('tls.key') };
}

/**
 * Gives a server the certificate of a folder whenever it has changed, for new connections.
 * @param failed hears of a folder that cannot be read or is half written; the server goes on as it is
 * @returns what ends it
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
