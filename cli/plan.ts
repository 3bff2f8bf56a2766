import { Command } from 'commander';
import { stringify } from 'yaml';
import { crdsAmong, readCrds } from './codegen/crd-file.js';
import { controllersIn } from './controllers/loaded-controllers.js';
import { allBeside, controllerFor, resourcesAmong, titleOf } from './controllers/resource-controllers.js';
import { childrenOf } from './plan/children.js';
import { storedResource } from './plan/stored-resource.js';
import { type Loose, manifestsIn } from './yaml-objects.js';

interface PlanOptions {
  readonly file?: string;
  readonly crd?: string;
  readonly namespace: string;
}

/** `reconstruct plan [MODULE] -f FILE`: what a controller would make of a resource, without a cluster. */
export function planCommand(): Command {
  return new Command('plan')
    .description(
      'print the objects that a controller would make for a resource, without a cluster; only a cluster checks the rules of CEL',
    )
    .argument('[module]', "ES module that exports controllers (default: the operator's own)")
    .option('-f, --file <file>', 'YAML of the resource, and of objects that it refers to; - for standard input')
    .option('--crd <file>', "YAML of the kind's CustomResourceDefinition, for defaults and checks")
    .option('-n, --namespace <namespace>', 'for a resource that states none', 'default')
    .action((module: string | undefined, options: PlanOptions) => plan(module, options));
}

/** @throws {Error} from its action, with a message for the user */
async function plan(module: string | undefined, { file, crd, namespace }: PlanOptions): Promise<void> {
  if (file === undefined) throw new Error('give the YAML of a resource with --file');
  const { controllers, definitions } = await controllersIn(module);
  const objects = await manifestsIn(file);
  const stated = [
    ...crdsAmong(objects as readonly object[] as readonly Loose[], file),
    ...(crd === undefined ? [] : await readCrds(crd)),
  ];
  const known = { namespace, definitions: [...stated, ...definitions] };
  for (const manifest of resourcesAmong(objects, controllers)) {
    const controller = controllerFor(controllers, manifest);
    const { resource, isChecked } = storedResource(controller, manifest, known);
    const title = titleOf(resource);
    if (!isChecked) console.error(`${title} is taken as it is: give its definition by --crd to fill in its defaults`);
    for (const one of allBeside(controller, controllers)) {
      if (one.filter?.(resource) === false) continue;
      const ports = new Set<string>();
      const children = await childrenOf(one, resource, { objects, unknown: (port) => ports.add(port) });
      for (const child of children) console.log(`---\n${stringify(child).trimEnd()}`);
      if (ports.size === 0) continue;
      const asked = [...ports].join(' and ');
      console.error(`${title}: controller ${one.name} makes more when it knows ${asked}, which it asks for as it runs`);
    }
  }
}
