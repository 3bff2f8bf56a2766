import { Command } from 'commander';
import { algorithmKind } from '../../imports/index.js';
import { type AccessOptions, withAccessOptions } from '../cluster/access-options.js';
import { resourceArgument } from '../cluster/resource-argument.js';
import { endsInTrouble, troubleExitCode } from '../output/exit-code.js';
import type { ActionOptions, actions } from './actions.js';
import type { Verb } from './order.js';

interface AlgoOptions extends AccessOptions, ActionOptions {
  readonly namespace?: string;
}

const outputs = ['text', 'json'];

const verbs: Readonly<Record<Verb, string>> = {
  promote: 'promote the version on trial to the stable version, regardless of its metrics',
  abort: 'roll back the version on trial',
  pause: 'pause trials',
  resume: 'resume trials',
};

/** `reconstruct algo VERB NAME`: shows and controls the trials of an Algorithm. */
export function algoCommand(): Command {
  const algo = new Command('algo')
    .description('watch or control the trial of an Algorithm')
    .exitOverride(endsInTrouble);
  const shown = '-o, --output <format>';
  algo.addCommand(
    about('watch', 'show the progress of a trial')
      .option(shown, outputs.join(' or '), 'text')
      .option('--until-done', 'exit when the trial ends, with code 0 (promoted), 1 (rolled back) or 2 (error)'),
  );
  algo.addCommand(
    about('history', 'list the versions that were tried, newest first').option(
      ...([shown, outputs.join(' or '), 'text'] as const),
    ),
  );
  for (const [verb, description] of Object.entries(verbs) as [Verb, string][])
    algo.addCommand(about(verb, description));
  return algo;
}

function about(verb: keyof typeof actions, description: string): Command {
  const command = new Command(verb)
    .description(description)
    .addArgument(resourceArgument(algorithmKind))
    .option('-n, --namespace <namespace>', 'namespace of the Algorithm (default: that of the kubeconfig)');
  return withAccessOptions(command)
    .exitOverride(endsInTrouble)
    .action(async (name: string, options: AlgoOptions) => {
      process.exitCode = troubleExitCode; // for all errors from here on
      const { output = 'text' } = options;
      if (!outputs.includes(output))
        throw new Error(`--output: Invalid value: ${JSON.stringify(output)}: must be ${outputs.join(' or ')}`);
      // Loaded here, so that a shell completes the command without them.
      const [{ clusterAt }, { actions: all }] = await Promise.all([
        import('../cluster/cluster-access.js'),
        import('./actions.js'),
      ]);
      await using at = await clusterAt(options);
      process.exitCode = await all[verb](at.cluster, { namespace: options.namespace ?? at.namespace, name }, options);
    });
}
