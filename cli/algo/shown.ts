import type { AlgorithmResource } from '../../imports/index.js';
import { keyOf, type ObjectName } from '../../operator/runtime/object.js';
import { type Output, Screen } from '../demo/screen.js';
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

/** Shows it as a picture on a terminal; elsewhere as a line for each thing that changed. */
export function asText(name: ObjectName, output: Output): Spectator {
  const screen = new Screen(output);
  let last: AlgorithmResource | undefined;
  return {
    saw: (resource) => {
      const lines = output.isTTY ? [] : saidSince(last, resource);
      if (lines.length > 0) screen.say(...lines.map((line) => `${keyOf(name)}  ${line}`));
      screen.show(viewOf(resource));
      last = resource;
    },
    heard: ({ reason, note }) => screen.say(`${keyOf(name)}  ${reason}: ${note}`),
  };
}
