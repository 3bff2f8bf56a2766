import { sparkJobKey } from '../../../src/index.js';
import type { Job, Seen } from './job/job.js';
import { memoryOf } from './job/memory.js';
import { driversAmong } from './pods/driver.js';
import { executorsAmong } from './pods/executors.js';
import { podsIn, type SparkView, type StableView } from './view.js';

/** The observed and desired state of a SparkJob. */
export type Situation = Job;

/** Reads what is seen. */
export function seenIn(view: StableView): Seen {
  const { metadata, spec } = view.resource;
  const { name, namespace = '', uid, generation = 0 } = metadata;
  const pods = podsIn(view);
  const memory = memoryOf(view.resource);
  const { nodes } = view.reads;
  return {
    ...{ name, namespace, uid, generation, spec, memory, nodes },
    drivers: driversAmong(pods, { name, uid, driver: memory.driver?.uid, nodes }),
    executors: executorsAmong(pods, sparkJobKey(uid)),
  };
}

/** Derives the situation from what is observed. */
export function situationOf(
  view: SparkView & { readonly blocker?: string | undefined; readonly accepted?: boolean },
): Situation {
  return { ...seenIn(view), now: view.now.getTime(), blocker: view.blocker, isAccepted: view.accepted };
}
