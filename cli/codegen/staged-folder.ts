import { copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * A copy of the modules of a folder, beside it, in which new modules are tried before they replace those of the folder.
 * A failure leaves the folder as it was.
 */
export class StagedFolder implements AsyncDisposable {
  private constructor(
    readonly path: string,
    private readonly target: string,
  ) {}

  /** @param target the folder, which may not exist yet */
  static async beside(target: string): Promise<StagedFolder> {
    const parent = path.dirname(path.resolve(target));
    await mkdir(parent, { recursive: true });
    // In the same parent, so that relative imports of modules that users added lead to the same files.
    const staged = new StagedFolder(await mkdtemp(path.join(parent, '.reconstruct-import-')), target);
    for (const file of await modulesOf(target)) await copyFile(path.join(target, file), path.join(staged.path, file));
    return staged;
  }

  async write(file: string, text: string): Promise<void> {
    await writeFile(path.join(this.path, file), text);
  }

  /** Moves files into the folder. */
  async publish(files: readonly string[]): Promise<void> {
    await mkdir(this.target, { recursive: true });
    for (const file of files) await rename(path.join(this.path, file), path.join(this.target, file));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

/** The names of the TypeScript files of a folder, without subfolders. */
export async function modulesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts')).map(({ name }) => name);
}
