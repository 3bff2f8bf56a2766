import type { ResourceEvent } from '../../runtime/index.js';
import type { Job } from './job/job.js';
import type { Memory } from './job/memory.js';

/** What happened to the attempts of a job. The runtime reports its conditions. */
export function eventsOf({ memory: before }: Job, memory: Memory): readonly ResourceEvent[] {
  return [
    ...started(before, memory),
    ...failed(before, memory),
    ...stopped(before, memory),
    ...succeeded(before, memory),
  ];
}

function started(before: Memory, { run, attempt, driver }: Memory): readonly ResourceEvent[] {
  if (driver?.startTime === undefined || before.driver?.startTime !== undefined) return [];
  const note = `Attempt ${attempt} of run ${run} started in Pod ${driver.pod}`;
  return [{ type: 'Normal', reason: 'DriverStarted', note }];
}

function succeeded(before: Memory, { attempt, end }: Memory): readonly ResourceEvent[] {
  if (end?.reason !== 'Succeeded' || before.end) return [];
  return [{ type: 'Normal', reason: 'Succeeded', note: `The program has succeeded in attempt ${attempt}` }];
}

function failed(before: Memory, { retries, lastVerdict, end }: Memory): readonly ResourceEvent[] {
  const isNew = retries.counted > before.retries.counted;
  if (!isNew || lastVerdict === undefined || end) return [];
  return [{ type: 'Warning', reason: 'AttemptFailed', note: lastVerdict }];
}

function stopped(before: Memory, { stopping }: Memory): readonly ResourceEvent[] {
  if (!stopping || before.stopping) return [];
  const { reason, message: note = 'The operator stops the driver' } = stopping;
  const isAsked = reason === 'Edited' || reason === 'Suspended';
  return [{ type: isAsked ? 'Normal' : 'Warning', reason, note }];
}
