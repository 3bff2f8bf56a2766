import { describe, it } from 'vitest';
import { sparkJobSpec, withDefaults } from '../../../../crds/index.js';
import { sparkJob } from '../../../../operator/controllers/spark/index.js';
import { sparkLeftovers } from '../../../../operator/controllers/spark/ports/leftovers.js';
import { draw } from '../../../../operator/passwords/draw.js';
import {
  type ContractCheck,
  controllerContract,
  fakeSource,
  portModel,
  simulation,
} from '../../../../operator/testing/index.js';
import { seeds } from '../../../simulation/seeds.js';

const spec = (input: object) => withDefaults(sparkJobSpec, { main: 'local:///app/clean.py', ...input } as never);
const resource = {
  ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'SparkJob', metadata: { name: 'clean', namespace: 'data' } },
  spec: spec({}),
};
const drawn = fakeSource(draw, ({ keys, replaces }) =>
  Object.fromEntries(keys.map((key) => [key, `${key} of ${replaces}`])),
);
/** Objects of drivers. Without kubelets there are none. */
const leftovers = () =>
  portModel(sparkLeftovers, { state: {}, answer: () => ({ left: [] }), perform: (state) => state, showsWithin: 0 });

/** Checks that do not fit a driver, which runs once, and the reasons. Other tests have what holds instead. */
const unfit: Readonly<Record<string, string>> = {
  'sends no further call': 'without kubelets no executor runs, so nothing is left',
  'recreates deleted objects': 'a driver that is deleted has failed, and the next attempt waits',
  'reaches the same state': 'an edit begins the second run, whose objects have other names',
};
const isFit = ({ name }: ContractCheck) => !Object.keys(unfit).some((start) => name.startsWith(start));

describe('the controller of SparkJobs', () => {
  const given = {
    ...{ resource, edited: spec({ args: ['--day', '2030-01-01'] }), answers: [drawn], ports: [leftovers()] },
    expired: {
      spec: spec({ ttlAfterFinished: '1h' }),
      status: { observedGeneration: 1, state: 'Failed', completionTime: '2020-01-01T00:00:00Z' },
    },
  };
  for (const check of controllerContract(sparkJob, given)) if (isFit(check)) it(check.name, check.holds);
  const histories = simulation(sparkJob, given, { from: seeds(7, 0), seeds: seeds(3, 5) });
  for (const { name, holds } of histories) it(name, holds, 120_000);
});
