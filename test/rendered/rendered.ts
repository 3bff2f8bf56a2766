import { cases } from './all-cases.js';
import { allSystems } from './all-systems.js';
import { crashedPods, deletedPods, lostNode, returnedNode } from './faults.js';
import type { RenderedCase } from './rendered-case.js';
import { textOf } from './rendered-text.js';
import { kindOf, reconciled, World } from './world.js';

/** What all cases become, as one text. @param names of cases; all if empty */
export async function rendered(names: readonly string[], say: (line: string) => void): Promise<string> {
  const texts: string[] = [];
  for (const one of cases.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const began = performance.now();
    texts.push(...(await silent(one)), ...(await answered(one)));
    say(`${one.name.padEnd(28)}${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
  return texts.join('\n');
}

/** Nothing outside answers, and no Pod runs. */
async function silent({ name, objects }: RenderedCase): Promise<readonly string[]> {
  const world = new World({}, false);
  await world.start();
  for (const object of objects) await world.apply(object);
  await world.settle();
  const text = textOf(world);
  await world.close();
  return [`# ${name}, silence`, text];
}

/** Seconds after which silence and lost nodes have been noticed. */
const noticed = 180;

/** Everything outside answers, Pods run, the resources are edited, meet faults, and are deleted in the end. */
async function answered({ name, objects, edits = {} }: RenderedCase): Promise<readonly string[]> {
  const world = new World(allSystems(), true);
  await world.start();
  const texts: string[] = [];
  const stage = async (title: string, least = 0) => {
    await world.settle(least);
    texts.push(`# ${name}, ${title}`, textOf(world));
  };
  for (const object of objects) await world.apply(object);
  await stage('answers');
  for (const [title, edited] of Object.entries(edits)) {
    for (const object of edited) await world.apply(object);
    await stage(title);
  }
  world.isSilent = true;
  await stage('silence after answers', noticed);
  world.isSilent = false;
  await stage('answers after silence');
  if (world.hasPods) {
    await world.suffer(deletedPods);
    await stage('deleted Pods');
    await world.suffer(crashedPods);
    await stage('crashed Pods');
    await world.suffer(lostNode);
    await stage('a lost node', noticed);
    await world.suffer(returnedNode);
    await stage('the node returns');
  }
  for (const object of objects) if (reconciled.includes(kindOf(object))) await world.remove(object);
  await stage('deletion');
  await world.close();
  return texts;
}
