import type { SparkJobResource } from '../../../../imports/index.js';
import { sparkDriverNamed } from '../../../../src/index.js';
import type { Manifest } from '../../../runtime/index.js';

/**
 * Whether the end of a driver is to be written to the status yet. A program that has succeeded would run again if its Pod were gone
 * by then.
 */
export function isToBeCounted({ metadata: { name } }: Manifest, { metadata, status }: SparkJobResource): boolean {
  const driver = sparkDriverNamed(metadata.name, name);
  const { run = 0, attempt = 0, completionTime } = status ?? {};
  if (!driver || attempt === 0 || completionTime !== undefined) return false;
  return driver.run > run || (driver.run === run && driver.attempt >= attempt);
}
