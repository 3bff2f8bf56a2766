import { type TrainingJobResource, trainingJobKind } from '../../imports/index.js';
import { keyOf } from '../../operator/runtime/kubernetes/object.js';
import { type Clock, systemClock } from '../../operator/runtime/ports/clock.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { type Output, Screen, widthOf } from '../output/screen.js';
import { type Spectator, watchResource } from '../status/watch-resource.js';
import { type Sample, withSample } from './progress.js';
import { trainingView } from './view.js';

/** How a job that ended is told by the exit code. */
const codes: Readonly<Record<string, number>> = { Succeeded: 0, Failed: 1 };

/** The exit code of a job that has ended. Undefined before. */
export function endCodeOf({ status }: TrainingJobResource): number | undefined {
  return status?.completionTime === undefined ? undefined : codes[status.phase ?? ''];
}

/** Shows a job as a redrawn view on a terminal, and elsewhere as one line per change with its time. */
export function trainingScreen(
  output: Output,
  { now }: Pick<Clock, 'now'> = systemClock,
): Spectator<TrainingJobResource> {
  const screen = new Screen(output);
  let samples: readonly Sample[] = [];
  let told: readonly string[] = [];
  const say = (lines: readonly string[]) => {
    const time = output.isTTY ? '' : `${new Date(now()).toISOString()}  `;
    if (lines.length > 0) screen.say(...lines.map((line) => `${time}${line}`));
  };
  return {
    saw: (job) => {
      samples = withSample(samples, job, now());
      const lines = changesOf(job);
      if (!output.isTTY) say(lines.filter((line) => !told.includes(line)));
      told = lines;
      screen.show(trainingView(job, { now: now(), samples, width: widthOf(output) }));
    },
    heard: ({ reason, note }) => say([`${reason}: ${note}`]),
  };
}

/** What changes seldom, one line each. Steps are in the lines of checkpoints. */
function changesOf({ metadata, status }: TrainingJobResource): readonly string[] {
  const { phase, rendezvous, ready, checkpoint, step, loss, faults = [], conditions = [] } = status ?? {};
  const lines = [
    ...(phase === undefined ? [] : [`phase ${phase}, ${ready} workers, generation ${rendezvous}`]),
    ...(checkpoint ? [`checkpoint of step ${checkpoint.step}`] : []),
    ...faults.map(({ kind, message, time }) => `fault ${kind} at ${time}: ${message}`),
    ...conditions
      .filter(({ type }) => ['Scheduled', 'Training', 'Healthy'].includes(type))
      .map(({ type, status: is, reason, message }) => `${type}=${is} ${reason}: ${message}`),
    ...(status?.completionTime === undefined ? [] : [`ended at step ${step} with loss ${loss ?? 'unknown'}`]),
  ];
  return lines.map((line) => `${keyOf(metadata)}  ${line}`);
}

/** Watches until Ctrl-C, or until the job ends if asked to. @returns the exit code */
export async function watchTraining(
  cluster: Cluster,
  job: TrainingJobResource,
  { untilDone, output = process.stdout }: { readonly untilDone: boolean; readonly output?: Output },
): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const { saw, heard } = trainingScreen(output);
  let code = 0;
  await watchResource<TrainingJobResource>(cluster, job, {
    kind: trainingJobKind,
    heard,
    saw: (state) => {
      if (stop.signal.aborted) return;
      saw(state);
      const ended = untilDone ? endCodeOf(state) : undefined;
      if (ended === undefined) return;
      code = ended;
      stop.abort();
    },
    signal: stop.signal,
  });
  return code;
}
