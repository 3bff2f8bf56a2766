import { delimiter, join } from 'node:path';
import { executable } from '../../operator/testing/binaries/executables.js';

/** Whether the machine has a kubectl of its own. */
export async function hasKubectl(path = process.env['PATH'] ?? ''): Promise<boolean> {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const found = await Promise.all(folders.map((folder) => executable(join(folder, 'kubectl'))));
  return found.includes(true);
}
