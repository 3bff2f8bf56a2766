import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { controllerFolders, crowdedIndexes, misnamedFindings, misplacedRoles } from './controller-folder-rules.js';
import { type Source, writtenSources } from './sources.js';

const sources = writtenSources(join(import.meta.dirname, '..'));

describe('the folders of controllers', () => {
  it('exist', () => {
    expect(controllerFolders(sources).length).toBeGreaterThan(10);
  });

  it('hold each role in the file that has it in every controller', () => {
    expect(misplacedRoles(sources)).toEqual([]);
  });

  it('have an index with defineController alone', () => {
    expect(crowdedIndexes(sources)).toEqual([]);
  });

  it('have the finding of each condition in the file of its name', () => {
    expect(misnamedFindings(sources)).toEqual([]);
  });
});

const folder = 'operator/controllers/a';
const controller: Source = { path: `${folder}/index.ts`, text: 'export const a = defineController({});' };

describe('this test', () => {
  it.each([
    { broken: 'a controller is defined elsewhere', path: 'a.ts', text: 'const a = defineController({});' },
    { broken: 'owned kinds are declared elsewhere', path: 'view.ts', text: 'export const owns = [];' },
    { broken: 'reads are declared elsewhere', path: 'situation.ts', text: 'export const reads = 1;' },
    { broken: 'references are made elsewhere', path: 'hosts.ts', text: 'function a(refer: Refer) {}' },
    { broken: 'polls have another name', path: 'questions.ts', text: '' },
    { broken: 'polls are declared elsewhere', path: 'desire.ts', text: 'export const polls = 1;' },
    { broken: 'polls are built elsewhere', path: 'view.ts', text: 'type A = PollBuilder;' },
    { broken: 'a view is elsewhere', path: 'plan/index.ts', text: 'export interface AView {}' },
    { broken: 'a situation is in the plan', path: 'plan/situation.ts', text: 'export interface Situation {}' },
    { broken: 'the view is read elsewhere', path: 'view.ts', text: 'export function situationOf() {}' },
    { broken: 'a plan is elsewhere', path: 'situation.ts', text: 'export interface Plan {}' },
    { broken: 'something else is called a step', path: 'ranks.ts', text: 'export function stepOf() {}' },
    { broken: 'desire is elsewhere', path: 'render.ts', text: 'export function desire() {}' },
    { broken: 'assess is elsewhere', path: 'status.ts', text: 'export function assess() {}' },
    { broken: 'conditions are elsewhere', path: 'assess.ts', text: 'export const conditions = {};' },
    { broken: 'metrics are elsewhere', path: 'assess.ts', text: 'export const metrics = {};' },
  ])('fails and names the file where $broken', ({ path, text }) => {
    const found = misplacedRoles([controller, { path: `${folder}/${path}`, text }]);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`${folder}/${path}`);
  });

  it('fails for an index that holds more than the controller', () => {
    expect(crowdedIndexes([{ ...controller, text: `${controller.text}\n`.repeat(60) }])).toHaveLength(1);
  });

  it.each([
    { broken: 'a condition has no file', path: 'findings/other.ts', text: 'export function otherOf() {}' },
    {
      broken: 'the function has another name',
      path: 'findings/up-to-date.ts',
      text: 'export function currencyOf() {}',
    },
  ])('fails where $broken', ({ path, text }) => {
    const conditions = {
      path: `${folder}/conditions.ts`,
      text: 'export const conditions = {\n  UpToDate: {\n  },\n};',
    };
    expect(misnamedFindings([controller, conditions, { path: `${folder}/${path}`, text }])).toEqual([
      `${folder}/findings/up-to-date.ts does not export upToDateOf, the finding of the condition UpToDate`,
    ]);
  });
});
