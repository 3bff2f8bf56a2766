import type { Situation } from '../situation.js';
import type { Step } from './step.js';

/** Sets the dynamic configuration of all brokers, and removes what the spec does not have. */
export function configuration(situation: Situation): Step | undefined {
  const { cluster, config } = situation;
  if (!cluster) return undefined;
  const set = Object.fromEntries(Object.entries(config).filter(([key, value]) => cluster.config[key] !== value));
  const remove = Object.keys(cluster.config).filter((key) => config[key] === undefined);
  if (remove.length + Object.keys(set).length === 0) return undefined;
  const names = [...Object.keys(set), ...remove].toSorted();
  return {
    ...{ act: 'call', concern: 'config', request: { act: 'configure', set, remove } },
    why: `the brokers apply ${names.join(', ')}`,
  };
}
