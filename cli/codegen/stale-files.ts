import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

/** Deletes files of earlier runs: those that start with `header` and are not in `current`. */
export async function removeStaleFiles(folder: string, header: string, current: readonly string[]): Promise<void> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  for (const file of files.map(({ name }) => name).filter((name) => !current.includes(name))) {
    const text = await readFile(path.join(folder, file), 'utf8');
    if (text.startsWith(header)) await rm(path.join(folder, file));
  }
}
