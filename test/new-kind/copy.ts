import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the files of the added kind are, as they lie in the repository, each with the suffix `.new`. */
const files = join(import.meta.dirname, 'files');
const suffix = '.new';

/** The folders of a copy that hold what was made in the original. */
const linked = ['node_modules'];

/** Copies what Git knows of the repository, and what it does not ignore, with the packages that are installed. */
export function copyOf(root: string, copy: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const path of listed.split('\0').filter(Boolean)) copyFile(join(root, path), join(copy, path));
  for (const folder of linked) symlinkSync(join(root, folder), join(copy, folder));
}

/** A file that was deleted and is still known to Git is left out. */
function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { force: true, recursive: false, errorOnExist: false });
}

/** The paths of the files that the kind adds. */
export function addedFiles(): readonly string[] {
  return readdirSync(files, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(suffix))
    .map((path) => path.slice(0, -suffix.length))
    .toSorted();
}

/** Writes an added file into the copy. @throws {Error} if the repository has a file of that path */
export function add(copy: string, path: string): void {
  mkdirSync(dirname(join(copy, path)), { recursive: true });
  writeFileSync(join(copy, path), readFileSync(join(files, `${path}${suffix}`)), { flag: 'wx' });
}

/** A line that the kind adds to a file that all kinds share. */
export interface Insertion {
  readonly file: string;
  /** The line of another kind that it follows, or its beginning. */
  readonly after: string;
  readonly line: string;
}

/** Inserts a line into a file of the copy. */
export function insert(copy: string, insertion: Insertion): void {
  const path = join(copy, insertion.file);
  writeFileSync(path, withInsertion(readFileSync(path, 'utf8'), insertion));
}

/** The text with the line. @throws {Error} if the text does not have the line before it exactly once */
export function withInsertion(text: string, { file, after, line }: Insertion): string {
  const lines = text.split('\n');
  const found = lines.flatMap((one, index) => (one.startsWith(after) ? [index] : []));
  const [at] = found;
  if (at === undefined || found.length > 1)
    throw new Error(`${file} must have one line that starts with ${after}, got ${found.length}`);
  return lines.toSpliced(at + 1, 0, line).join('\n');
}
