import type { AlgorithmResource } from '../../imports/index.js';
import { conditionOf } from '../../operator/runtime/controller/conditions.js';
import { keyOf, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import { type Clock, systemClock } from '../../operator/runtime/ports/clock.js';
import { type Output, Screen, widthOf } from '../output/screen.js';
import type { Spectator } from '../status/watch-resource.js';
import { viewOf } from './view.js';

/** Shows a trial as JSON, one object per line, without the internal state of the operator. */
export function asJson(output: Output): Spectator<AlgorithmResource> {
  const write = (what: object) => output.write(`${JSON.stringify(what)}\n`);
  return {
    saw: ({ metadata: { namespace, name }, status = {} }) => {
      const { phase, stable, trial, verdict, sla, conditions } = status;
      const { state: _state, ...shown } = trial ?? {};
      write({ namespace, name, phase, stable, ...(trial && { trial: shown }), verdict, sla, conditions });
    },
    heard: ({ reason, note }) => write({ event: { reason, note } }),
  };
}

/** Shows a trial as a redrawn view on a terminal, and elsewhere as one line per change with its time. */
export function asText(
  name: ObjectName,
  output: Output,
  { now }: Pick<Clock, 'now'> = systemClock,
): Spectator<AlgorithmResource> {
  const screen = new Screen(output);
  // A view shows the present, but log lines are read later and need a time.
  const say = (...lines: readonly string[]) => {
    const time = output.isTTY ? '' : `${new Date(now()).toISOString()}  `;
    if (lines.length > 0) screen.say(...lines.map((line) => `${time}${keyOf(name)}  ${line}`));
  };
  let last: AlgorithmResource | undefined;
  return {
    saw: (resource) => {
      if (!output.isTTY) say(...changesSince(last, resource));
      screen.show(viewOf(resource, widthOf(output)));
      last = resource;
    },
    heard: ({ reason, note }) => say(`${reason}: ${note}`),
  };
}

/** The changes between two states of a trial, one line each, for output that cannot be redrawn. */
export function changesSince(before: AlgorithmResource | undefined, after: AlgorithmResource): readonly string[] {
  const lines = linesOf(after);
  const told = new Set(before ? linesOf(before) : []);
  return lines.filter((line) => !told.has(line));
}

function linesOf(resource: AlgorithmResource): readonly string[] {
  const { phase, stable, trial, verdict } = resource.status ?? {};
  const conditions = ['Promoted', 'Routed', 'SlaMet', 'LatencyMet'].flatMap((type) => {
    const condition = conditionOf(resource, type);
    return condition ? [`${type}=${condition.status} ${condition.reason}: ${condition.message ?? ''}`] : [];
  });
  return [
    ...(phase ? [`phase ${phase}`] : []),
    ...(stable ? [`stable ${stable.version} has ${stable.weight}% of the requests`] : []),
    ...(trial?.weight !== undefined ? [`trial ${trial.version} has ${trial.weight}% of the requests`] : []),
    ...(verdict ? [`verdict ${verdict.verdict}: ${verdict.sentence}`] : []),
    ...conditions,
  ];
}
