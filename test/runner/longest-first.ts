import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longer than 15 seconds, the longest first: what starts last is what the others wait for. `*` is any name of a
 * folder.
 */
export const longest: readonly string[] = [
  'test/failures/garbage-collection.integration.test.ts',
  'test/failures/process-failures.integration.test.ts',
  'test/failures/chaos.integration.test.ts',
  'test/cli/demo/demo.integration.test.ts',
  'test/failures/leader-election.integration.test.ts',
  'test/operator/controllers/algorithm/trial/trial.integration.test.ts',
  'test/acceptance/self-healing.integration.test.ts',
  'test/acceptance/request-counts.integration.test.ts',
  'test/acceptance/spec-edits.integration.test.ts',
  'test/operator/cluster/faults.integration.test.ts',
  'test/acceptance/children.integration.test.ts',
  'test/operator/testing/simulation/bugs.test.ts',
  'test/operator/controllers/algorithm/trial/trial.test.ts',
  'test/operator/testing/simulation/simulation.test.ts',
  'test/operator/controllers/*/contract.test.ts',
  'test/docs.test.ts',
  'test/operator/controllers/algorithm/trial/surroundings.test.ts',
  'test/operator/controllers/algorithm/trial/capacity.test.ts',
];

const endings = longest.map((path) => new RegExp(`(^|/)${path.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}$`));

/** The place of a file in the order, by its path from the root or a longer one. */
export function rankOf(path: string): number {
  const index = endings.findIndex((ending) => ending.test(path));
  return index < 0 ? longest.length : index;
}

/** Starts the longest files first, and leaves the order of the others to vitest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => rankOf(moduleId);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
