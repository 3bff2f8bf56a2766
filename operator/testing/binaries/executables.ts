import { access, constants, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Binaries, type Component, components, type Finding, lacking } from './binary-source.js';

const goNames: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** The platform in the notation of Go and Kubernetes, for example `linux-amd64` or `darwin-arm64`. */
export const goPlatform = `${process.platform}-${goNames[process.arch] ?? process.arch}`;

/** Whether a path is a program that this user may run. */
export function executable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The components in a folder with one program per component, each with the name of its component. */
export async function executablesIn(folder: string, needs: readonly Component[]): Promise<Finding> {
  const present = await Promise.all(components.map((component) => executable(join(folder, component))));
  const binaries: Binaries = Object.fromEntries(
    components.filter((_, index) => present[index]).map((component) => [component, [join(folder, component)]]),
  );
  const missing = lacking(binaries, needs);
  return missing.length > 0 ? { absent: `no ${missing.join(', ')} in ${folder}` } : { binaries };
}

/** The components of the newest complete version in a store with folders such as `v1.36.3-linux-amd64`. */
export async function newestIn(store: string, needs: readonly Component[]): Promise<Finding> {
  const entries = await readdir(store).catch(() => []);
  const versions = entries.filter((entry) => entry.endsWith(`-${goPlatform}`)).sort(newestFirst);
  let finding: Finding = { absent: `no version for ${goPlatform} in ${store}` };
  for (const version of versions) {
    finding = await executablesIn(join(store, version), needs);
    if ('binaries' in finding) return finding;
  }
  return finding;
}

/** Orders names that start with a version, such as `v1.36.3-linux-amd64`, newest first. */
export function newestFirst(a: string, b: string): number {
  return b.localeCompare(a, 'en', { numeric: true });
}
