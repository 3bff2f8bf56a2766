import { Command, Option } from 'commander';
import { withAccessOptions } from '../cluster/access-options.js';
import { endsInTrouble, troubleExitCode } from '../output/exit-code.js';
import type { CheckedInstallation } from './cluster-check.js';
import { findingLines, reportOf } from './report.js';

interface CheckOptions extends CheckedInstallation {
  readonly output: 'text' | 'json';
}

/** `reconstruct check`: exits with 0 if all is well, with 1 if it is not or not known, and with 2 for errors. */
export function checkCommand(): Command {
  const command = new Command('check')
    .description('check whether an installation of the operator works, and what to do')
    .option('-n, --namespace <namespace>', 'namespace of the operator', 'reconstruct-system')
    .option('--name <name>', 'name of the operator', 'reconstruct')
    .option('--module <module>', 'ES module that exports controllers (default: those of this package)')
    .addOption(new Option('-o, --output <format>', 'text or json').choices(['text', 'json']).default('text'));
  return withAccessOptions(command)
    .exitOverride(endsInTrouble)
    .action(async (options: CheckOptions, { parent }: Command) => {
      process.exitCode = troubleExitCode; // for all errors from here on
      const { clusterFindings } = await import('./cluster-check.js');
      const report = reportOf(await clusterFindings(options, parent?.name() ?? 'reconstruct'));
      const lines = options.output === 'json' ? [JSON.stringify(report, undefined, 2)] : findingLines(report.findings);
      process.stdout.write(`${lines.join('\n')}\n`);
      process.exitCode = report.ok ? 0 : 1;
    });
}
