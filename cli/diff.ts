import { Command } from 'commander';
import { type AccessOptions, withAccessOptions } from './cluster/access-options.js';
import type { AskedDiff } from './diff/cluster-diff.js';
import type { Differences } from './diff/differences.js';
import { endsInTrouble, troubleExitCode } from './output/exit-code.js';

interface DiffOptions extends AccessOptions {
  readonly file?: string;
  readonly namespace?: string;
  readonly output: string;
}

const outputs = ['text', 'json'];

/** Exit codes like those of `kubectl diff`. A rejected or blocked change is an error, so that CI does not merge it. */
const changed = 1;

/** `reconstruct diff [MODULE] (-f FILE | KIND/NAME)`: what the operator would change in a live cluster. */
export function diffCommand(): Command {
  const command = new Command('diff')
    .description('show the changes that the operator would make in a cluster for a resource, without writing')
    .argument('[module]', 'ES module that exports controllers (default: those of this package)')
    .argument('[resource]', 'KIND/NAME of a resource in the cluster')
    .option('-f, --file <file>', 'YAML file of a new or existing resource; - for standard input')
    .option('-n, --namespace <namespace>', 'namespace of the resource (default: that of the kubeconfig)')
    .option('-o, --output <format>', outputs.join(' or '), 'text');
  return withAccessOptions(command)
    .exitOverride(endsInTrouble)
    .action(async (first: string | undefined, second: string | undefined, options: DiffOptions) => {
      process.exitCode = troubleExitCode; // for all errors from here on
      const wanted = asked(first, second, options);
      const { clusterDiff, differencesText } = await import('./diff/cluster-diff.js');
      const found = await clusterDiff(wanted, options);
      const text = options.output === 'json' ? `${JSON.stringify(found, undefined, 2)}\n` : differencesText(found);
      process.stdout.write(text);
      process.exitCode = codeFor(found);
    });
}

function codeFor(found: readonly Differences[]): number {
  if (found.some(({ rejected, blocked }) => rejected || blocked)) return troubleExitCode;
  if (found.some(({ changes }) => changes.length > 0)) return changed;
  return found.every(({ known }) => known) ? 0 : troubleExitCode;
}

/** The first argument is a module if a file or a second argument is given. */
function asked(first: string | undefined, second: string | undefined, { file, output }: DiffOptions): AskedDiff {
  if (!outputs.includes(output))
    throw new Error(`--output: Invalid value: ${JSON.stringify(output)}: must be ${outputs.join(' or ')}`);
  const isAlone = file === undefined && second === undefined;
  if (isAlone && first !== undefined && /\.[cm]?js$/.test(first)) {
    throw new Error(`specify a resource as KIND/NAME after ${first}, or a file with --file`);
  }
  const [module, resource] = isAlone ? [undefined, first] : [first, second];
  const isResource = file !== undefined && module !== undefined && !/\.[cm]?[jt]s$/.test(module);
  if ((file === undefined) === (resource === undefined) || isResource) {
    throw new Error('specify either a resource as KIND/NAME or a file with --file, not both');
  }
  return { module, resource };
}
