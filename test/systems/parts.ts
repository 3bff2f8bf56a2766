import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { systems } from '../../operator/controllers/index.js';

/** Where systems have a part: in files with their names, or in folders with their names. */
export type Place = `${string}/<system>.ts` | `${string}/<system>/${string}.ts`;

/** What the systems that have a part at a place export there, by the name of the system and in the order of `systems`. */
export type Parts<Part> = ReadonlyMap<string, Part>;

/** The names of all systems. */
export const systemNames: readonly string[] = systems.map(({ name }) => name);

/** This code: the project, or where it was compiled. */
const code = join(import.meta.dirname, '..', '..');
const compiled = extname(import.meta.filename);

/** What {@link partsOf} reads. The defaults are the systems and the sources of this project. */
export interface Surroundings {
  readonly names?: readonly string[];
  /** The folder whose files are listed. What was compiled may have files whose source is gone. @default '.' */
  readonly sources?: string;
  /** Loads a module by its path from the root. */
  readonly load?: (file: string) => Promise<Readonly<Record<string, unknown>>>;
}

/**
 * Finds the parts of systems by the names of files and folders, so that a new system adds files and edits no list.
 * @param name of the export
 * @throws {Error} if a name at the place is no system's, or if a file lacks the export
 */
export async function partsOf<Part>(place: Place, name: string, surroundings: Surroundings = {}): Promise<Parts<Part>> {
  const { load = loadCode } = surroundings;
  const parts = new Map<string, Part>();
  for (const system of systemsAt(place, surroundings)) {
    const file = place.replace('<system>', system);
    const part = (await load(file))[name];
    if (part === undefined) throw new Error(`${file} must export \`${name}\`, as the files of other systems do`);
    parts.set(system, part as Part);
  }
  return parts;
}

/** The names of the systems that have a file at a place. @throws {Error} if a name there is no system's */
export function systemsAt(place: Place, { names = systemNames, sources = '.' }: Surroundings = {}): readonly string[] {
  const [folder = '', rest = ''] = place.split('<system>');
  const isFile = rest === '.ts';
  const found = readdirSync(join(sources, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return isFile ? [`${entry.name}/`] : [entry.name];
    return isFile ? [entry.name.replace(/\.ts$/, '')] : [];
  });
  const unknown = found.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `${folder} must have names of systems (${names.join(', ')}), got ${unknown.join(', ')}: rename it, or add the system to operator/controllers/index.ts`,
    );
  }
  return names.filter((name) => existsSync(join(sources, place.replace('<system>', name))));
}

function loadCode(file: string): Promise<Readonly<Record<string, unknown>>> {
  return import(join(code, file.replace(/\.ts$/, compiled)));
}
