import { Command } from 'commander';
import type { DesiredCall } from '../operator/runtime/rendering/external-call.js';
import { stringifyYaml } from '../operator/yaml/stringify-yaml.js';
import { crdsAmong, readCrds } from './codegen/crds/crd-file.js';
import { controllersIn } from './controllers/loaded-controllers.js';
import { allBeside, controllerFor, resourcesAmong, titleOf } from './controllers/resource-controllers.js';
import { type Loose, manifestsIn } from './files/yaml-objects.js';
import { childrenOf } from './plan/children.js';
import { storedResource } from './plan/stored-resource.js';

interface PlanOptions {
  readonly file?: string;
  readonly crd?: string;
  readonly namespace: string;
}

/** `reconstruct plan [MODULE] -f FILE`: prints the objects that controllers would create for a resource. */
export function planCommand(): Command {
  return new Command('plan')
    .description(
      'print the objects that a controller would create for a resource, without a cluster and without checks of CEL rules',
    )
    .argument('[module]', 'ES module that exports controllers (default: those of this package)')
    .option('-f, --file <file>', 'YAML file of the resource and the objects that it refers to; - for standard input')
    .option('--crd <file>', 'YAML file of the CRD, for defaults and validation')
    .option('-n, --namespace <namespace>', 'namespace for resources without one', 'default')
    .action((module: string | undefined, options: PlanOptions) => plan(module, options));
}

/** @throws {Error} from its action, with a message for the user */
async function plan(module: string | undefined, { file, crd, namespace }: PlanOptions): Promise<void> {
  if (file === undefined) throw new Error('specify the YAML file of a resource with --file');
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
    if (!isChecked) console.error(`${title} is used without defaults and validation; specify its CRD with --crd`);
    for (const one of allBeside(controller, controllers)) {
      if ((one.secondaryFor ?? one.selects)?.(resource) === false) continue;
      const ports = new Set<string>();
      const calls: DesiredCall[] = [];
      const around = {
        objects,
        unknown: (port: string) => ports.add(port),
        called: (call: DesiredCall) => calls.push(call),
      };
      const children = await childrenOf(one, resource, around);
      for (const child of children) console.log(`---\n${stringifyYaml(child).trimEnd()}`);
      for (const { name, port, logged } of calls) console.log(`# call ${name} of ${port}: ${logged}`);
      if (ports.size === 0) continue;
      const asked = [...ports].join(' and ');
      const may = one.calls.length > 0 ? 'create more objects and send external calls' : 'create more objects';
      console.error(`${title}: controller ${one.name} may ${may} when it runs and polls ${asked}`);
    }
  }
}
