import type { AlgorithmResource } from '../../imports/index.js';
import { type Clock, systemClock } from '../../operator/runtime/clock.js';
import { keyOf, type ObjectName } from '../../operator/runtime/object.js';
import { type Output, Screen, widthOf } from '../demo/screen.js';
import { saidSince } from './said.js';
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
      if (!output.isTTY) say(...saidSince(last, resource));
      screen.show(viewOf(resource, widthOf(output)));
      last = resource;
    },
    heard: ({ reason, note }) => say(`${reason}: ${note}`),
  };
}
