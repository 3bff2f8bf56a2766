import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Broken } from '../../../../operator/testing/simulation/jury.js';
import type { Bug } from '../../../simulation/bug.js';
import { bugs } from '../../../simulation/bugs.js';
import { changedText, ofRuntime, plant, plantInPlan } from '../../../simulation/plant.js';
import { playsAll } from '../../../simulation/seeds.js';
import { bugsOfSystems } from '../../../simulation/system-parts.js';

const bugsOfPlans = await bugsOfSystems();

/** In a commit, one mistake of each file of the code is planted; `npm run histories` plants all of them. */
function planted<T extends { readonly file: string }>(all: readonly T[]): [number: number, bug: T][] {
  const files = all.map(({ file }) => file);
  return [...all.entries()].filter(([number, { file }]) => playsAll || files.indexOf(file) === number);
}

// Below node_modules, so that the compiled code finds what it depends on.
const copies = mkdtempSync(join('node_modules', '.planted-'));
const compiled = join(copies, 'compiled');
beforeAll(() => {
  // `npm run typecheck` checks the types.
  const args = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.trials.json', '--noCheck', '--outDir', compiled];
  execFileSync(process.execPath, args);
});
afterAll(() => rmSync(copies, { recursive: true, force: true }));

/** The first promise that is broken with a bug planted. */
async function brokenBy(bug: Bug): Promise<Broken | undefined> {
  const { run, subjects } = await plant(bug, compiled, join(copies, String(bugs.indexOf(bug))));
  const subject = subjects[bug.subject];
  if (!subject) throw new Error(`there is no subject ${bug.subject}`);
  for (let seed = bug.from ?? 0; seed < (bug.from ?? 0) + bug.within; seed++) {
    const { broken } = await run(subject.controller, subject.given, { seed });
    if (broken) return broken;
  }
  return undefined;
}

describe('the simulation finds an operator that', () => {
  for (const [, bug] of planted(bugs)) {
    it(`${bug.line} ${bug.name}`, async () => {
      expect(await brokenBy(bug)).toMatchObject({ promise: expect.stringContaining(bug.breaks ?? '') });
    }, 600_000);
  }
});

for (const [system, { of, all }] of bugsOfPlans) {
  describe(`the histories of ${of} find a plan that`, () => {
    for (const [number, bug] of planted(all)) {
      it(`${bug.line} ${bug.name}`, async () => {
        const { from = 0, within, breaks } = bug;
        const history = await plantInPlan(system, bug, compiled, join(copies, `${system}-${number}`));
        let broken: string | undefined;
        for (let seed = from; seed < from + within && broken === undefined; seed++)
          broken = (await history(seed)).broken;
        expect(broken).toContain(breaks);
      }, 600_000);
    }
  });
}

// All of them in each commit: whoever edits a line does not know that a bug replaces it.
describe('the compiled code has the line that is replaced by the bug', () => {
  for (const bug of [...bugs.map(ofRuntime), ...[...bugsOfPlans.values()].flatMap(({ all }) => all)]) {
    it(bug.name, () => expect(changedText(bug, compiled)).toContain(bug.replace));
  }
});

it('says so when the code that a bug is to change is not there any more', async () => {
  const bug = { ...(bugs[0] as Bug), find: 'nothing like it' };
  await expect(plant(bug, compiled, join(copies, 'none'))).rejects.toThrow('up to it');
});
