import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeImports } from '../../cli/codegen/imports.js';
import type { CustomResourceDefinition } from '../../crds/index.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import { stepsOf } from '../commands/page-walk.js';
import { tutorial } from '../commands/proofs.js';

/** The kind and the controller that the page of the first operator shows, on the sources instead of the built package. */
export async function givenTutorial(): Promise<{
  readonly folder: string;
  readonly definition: CustomResourceDefinition;
  readonly website: Controller;
}> {
  mkdirSync('build', { recursive: true });
  const folder = mkdtempSync(join('build', '.tutorial-'));
  for (const step of stepsOf(tutorial)) {
    if (!('file' in step) || !step.file.endsWith('.ts')) continue;
    const code = step.content
      .replaceAll("'cdk8s-reconstruct'", `'${resolve('src/index.js')}'`)
      .replaceAll(/'cdk8s-reconstruct\/(\w+)'/g, (_, name) => `'${resolve(name, 'index.js')}'`);
    writeFileSync(join(folder, step.file), code);
  }
  const load = (file: string) => import(resolve(folder, file)) as Promise<unknown>;
  const { definition } = (await load('definition.ts')) as { readonly definition: CustomResourceDefinition };
  await writeImports([definition], {
    out: join(folder, 'imports'),
    classPrefix: 'Kube',
    command: 'reconstruct import',
  });
  const { website } = (await load('controller.ts')) as { readonly website: Controller };
  return { folder, definition, website };
}
