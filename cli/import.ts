import { Command } from 'commander';
import { readCrds } from './codegen/crds/crd-file.js';
import { writeImports } from './codegen/imports.js';

/**
 * `reconstruct import FILE…`: writes classes and interfaces for CRDs of any origin.
 * @throws {ImportError} from its action, with a message for the user
 */
export function importCommand(): Command {
  return new Command('import')
    .description('write cdk8s classes and interfaces for the CustomResourceDefinitions in YAML files')
    .argument('<files...>', 'YAML files with one or more documents')
    .option('--out <folder>', 'output folder', 'imports')
    .option('--class-prefix <prefix>', 'prefix of class names', 'Kube')
    .action(
      async (
        files: readonly string[],
        { out, classPrefix }: { readonly out: string; readonly classPrefix: string },
      ) => {
        const crds = (await Promise.all(files.map(readCrds))).flat();
        const command = `reconstruct import --class-prefix ${classPrefix}`;
        const written = await writeImports(crds, { out, classPrefix, command });
        console.log(`wrote ${counted(written, 'module')} for ${counted(crds, 'kind')} to ${out}`);
      },
    );
}

function counted({ length }: readonly unknown[], noun: string): string {
  return `${length} ${noun}${length === 1 ? '' : 's'}`;
}
