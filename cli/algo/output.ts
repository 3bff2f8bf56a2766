import type { AlgorithmResource } from '../../imports/index.js';
import { keyOf, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import { type Clock, systemClock } from '../../operator/runtime/ports/clock.js';
import { type Output, Screen, widthOf } from '../demo/screen.js';
import { conditionOf } from './outcome.js';
import { viewOf } from './view.js';
import type { Spectator } from './watch.js';

/** Shows a trial as JSON, an object a line, without what is for the operator alone. */
export function asJson(output: Output): Spectator {
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

/** Shows it as a picture on a terminal; elsewhere as a line for each thing that changed, with its time. */
export function asText(name: ObjectName, output: Output, { now }: Pick<Clock, 'now'> = systemClock): Spectator {
  const screen = new Screen(output);
  // A picture is of now; a line of a log is read later.
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

/** What changed from one look at a trial to the next, a line each: for a log, where nothing is drawn again in place. */
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
    ...(stable ? [`stable ${stable.version} has ${stable.weight} % of the requests`] : []),
    ...(trial?.weight !== undefined ? [`trial ${trial.version} has ${trial.weight} % of the requests`] : []),
    ...(verdict ? [`verdict ${verdict.verdict}: ${verdict.sentence}`] : []),
    ...conditions,
  ];
}
