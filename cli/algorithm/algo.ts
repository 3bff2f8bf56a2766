import { Command } from 'commander';
import { algorithmKind } from '../../imports/index.js';
import { keyOf, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { type AccessOptions, withAccessOptions } from '../cluster/access-options.js';
import { clusterAt } from '../cluster/cluster-access.js';
import { resourceArgument } from '../cluster/resource-argument.js';
import { endsInTrouble, troubleExitCode } from '../output/exit-code.js';
import { watchResource } from '../status/watch-resource.js';
import { historyTable } from './history.js';
import { algorithmNamed, order, type Verb } from './order.js';
import { type Ending, endingOf } from './outcome.js';
import { asJson, asText } from './output.js';

interface AlgoOptions extends AccessOptions {
  readonly namespace?: string;
  readonly output: string;
  readonly untilDone?: boolean;
}

/** Runs a subcommand on an Algorithm and returns the exit code. @throws {Error} with a message for the user */
type Action = (cluster: Cluster, name: ObjectName, options: AlgoOptions) => Promise<number>;

const outputs = ['text', 'json'];

const codes: Readonly<Record<Ending, number>> = { promoted: 0, takenBack: 1 };

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
    about('watch', 'show the progress of a trial', watch)
      .option(shown, outputs.join(' or '), 'text')
      .option('--until-done', 'exit when the trial ends, with code 0 (promoted), 1 (rolled back) or 2 (error)'),
  );
  algo.addCommand(
    about('history', 'list the versions that were tried, newest first', history).option(
      ...([shown, outputs.join(' or '), 'text'] as const),
    ),
  );
  for (const [verb, description] of Object.entries(verbs) as [Verb, string][])
    algo.addCommand(
      about(verb, description, async (cluster, name) => {
        console.log(printable(await order(cluster, verb, name)));
        return 0;
      }),
    );
  return algo;
}

function about(verb: string, description: string, act: Action): Command {
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
      await using at = await clusterAt(options);
      process.exitCode = await act(at.cluster, { namespace: options.namespace ?? at.namespace, name }, options);
    });
}

async function history(cluster: Cluster, name: ObjectName, { output }: AlgoOptions): Promise<number> {
  const resource = await algorithmNamed(cluster, name);
  const versions = resource.status?.history ?? [];
  console.log(output === 'json' ? JSON.stringify(versions, undefined, 2) : historyTable(resource).join('\n'));
  return 0;
}

/** Watches until Ctrl-C, or until the trial ends. */
async function watch(cluster: Cluster, name: ObjectName, { output, untilDone }: AlgoOptions): Promise<number> {
  const resource = await algorithmNamed(cluster, name);
  if (untilDone && !resource.spec.lifecycle) {
    throw new Error(`Algorithm ${keyOf(name)} has no spec.lifecycle, so no trial can end; omit --until-done`);
  }
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const { saw, heard } = output === 'json' ? asJson(process.stdout) : asText(name, process.stdout);
  let code = untilDone ? troubleExitCode : 0;
  await watchResource(cluster, resource, {
    kind: algorithmKind,
    heard,
    saw: (state) => {
      if (stop.signal.aborted) return;
      saw(state);
      const ending = untilDone ? endingOf(state) : undefined;
      if (ending === undefined) return;
      code = codes[ending];
      stop.abort();
    },
    signal: stop.signal,
  });
  return code;
}
