import { algorithmKind } from '../../imports/index.js';
import type { ObjectName } from '../../operator/runtime/kubernetes/object.js';
import { keyOf } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { troubleExitCode } from '../output/exit-code.js';
import { watchResource } from '../status/watch-resource.js';
import { historyTable } from './history.js';
import { algorithmNamed, order, type Verb } from './order.js';
import { type Ending, endingOf } from './outcome.js';
import { asJson, asText } from './output.js';

/** How an action prints, and when it ends. */
export interface ActionOptions {
  readonly output?: string;
  readonly untilDone?: boolean;
}

/** Runs a subcommand on an Algorithm and returns the exit code. @throws {Error} with a message for the user */
type Action = (cluster: Cluster, name: ObjectName, options: ActionOptions) => Promise<number>;

const codes: Readonly<Record<Ending, number>> = { promoted: 0, takenBack: 1 };

/** The actions by the names of their subcommands. */
export const actions: Readonly<Record<Verb | 'watch' | 'history', Action>> = {
  watch,
  history,
  promote: ordering('promote'),
  abort: ordering('abort'),
  pause: ordering('pause'),
  resume: ordering('resume'),
};

function ordering(verb: Verb): Action {
  return async (cluster, name) => {
    console.log(printable(await order(cluster, verb, name)));
    return 0;
  };
}

async function history(cluster: Cluster, name: ObjectName, { output }: ActionOptions): Promise<number> {
  const resource = await algorithmNamed(cluster, name);
  const versions = resource.status?.history ?? [];
  console.log(output === 'json' ? JSON.stringify(versions, undefined, 2) : historyTable(resource).join('\n'));
  return 0;
}

/** Watches until Ctrl-C, or until the trial ends. */
async function watch(cluster: Cluster, name: ObjectName, { output, untilDone }: ActionOptions): Promise<number> {
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
