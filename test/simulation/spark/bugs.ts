import type { PlanBugs } from '../plan-history.js';

const spark = 'controllers/spark';

/** Mistakes in the plan of a SparkJob. */
export const bugs = {
  of: 'a SparkJob',
  all: [
    {
      name: 'creates a driver while another one may run',
      line: 'SparkJob line 2',
      file: `${spark}/plan/index.js`,
      find: 'runningDrivers(situation).length === 0',
      replace: 'true',
      breaks: 'runs one driver at a time',
      within: 30,
    },
    {
      name: 'takes a driver that terminates for one that has ended',
      line: 'SparkJob line 2',
      file: `${spark}/pods/driver.js`,
      find: 'if (!terminated && !isOver(status?.phase))',
      replace: 'if (!terminated && !isOver(status?.phase) && pod.metadata.deletionTimestamp === undefined)',
      breaks: 'runs one driver at a time',
      within: 60,
    },
    {
      name: 'sees only the drivers that the SparkJob owns',
      line: 'SparkJob line 2',
      file: `${spark}/view.js`,
      find: 'pods.filter(({ metadata }) => !known.has(metadata.uid))',
      replace:
        "pods.filter(({ metadata }) => !known.has(metadata.uid) && metadata.labels?.['reconstruct.dev/spark-role'] === 'executor')",
      breaks: 'runs one driver at a time',
      within: 60,
    },
    {
      name: 'begins a job again that has ended',
      line: 'SparkJob line 3',
      file: `${spark}/next-memory.js`,
      find: 'if (memory.end)',
      replace: 'if (false)',
      breaks: 'counts each attempt once',
      within: 30,
    },
    {
      name: 'retries an attempt that has succeeded',
      line: 'SparkJob line 3',
      file: `${spark}/next-memory.js`,
      find: 'if (end.hasSucceeded && !isReplaced)',
      replace: 'if (false)',
      breaks: 'runs no job again that has succeeded',
      within: 30,
    },
    {
      name: 'waits for ever for a driver that does not exit',
      line: 'SparkJob line 4',
      file: `${spark}/attempts/stops.js`,
      find: 'if (isDue(limits.exit))',
      replace: 'if (false)',
      breaks: 'ends each job',
      within: 30,
    },
    {
      name: 'leaves executors whose driver has ended',
      line: 'SparkJob line 1',
      file: `${spark}/job/job.js`,
      find: 'driver.end !== undefined',
      replace: 'false',
      breaks: 'ends each job, and leaves nothing behind',
      within: 30,
    },
  ],
} satisfies PlanBugs;
