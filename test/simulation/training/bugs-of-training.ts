import type { Bug } from '../bug.js';

/** A mistake in the plan of a TrainingJob. */
export type TrainingBug = Omit<Bug, 'subject' | 'breaks'> & { readonly breaks: string };

const plan = 'controllers/training/plan';

/** The histories of TrainingJobs find each of them. Files are below `operator/`. */
export const bugsOfTraining: readonly TrainingBug[] = [
  {
    name: 'releases workers while others do not exist yet',
    line: 'TrainingJob line 1',
    file: `${plan}/gang.js`,
    find: 'if (missing > 0)',
    replace: 'if (false)',
    breaks: 'releases all workers together',
    within: 20,
  },
  {
    name: 'waits for a process that has left its generation',
    line: 'TrainingJob line 2',
    file: `${plan}/generation.js`,
    find: 'const isBroken = hasLeft(situation) ||',
    replace: 'const isBroken =',
    breaks: 'ends each job',
    from: 5,
    within: 20,
  },
  {
    name: 'goes on with a state that is not finite',
    line: 'TrainingJob line 4',
    file: `${plan}/generation.js`,
    find: 'isRestored ||',
    replace: 'true ||',
    breaks: 'trains on with no state that is not finite',
    within: 20,
  },
  {
    name: 'takes the loss of a rank that is loading an earlier checkpoint for another one',
    line: 'TrainingJob line 4',
    file: `${plan}/faults.js`,
    find: 'rank.generation === generation && isPastJoin(rank)',
    replace: 'rank.generation === generation',
    breaks: 'counts each fault once',
    within: 40,
  },
  {
    name: 'counts a stalled rank again before its process was started again',
    line: 'TrainingJob line 5',
    file: `${plan}/stalls.js`,
    find: 'Date.parse(before.time) >= now - 1_000 * since',
    replace: 'false',
    breaks: 'counts each fault once',
    within: 20,
  },
  {
    name: 'takes the Pods that it deleted itself for lost ones',
    line: 'TrainingJob line 5',
    file: `${plan}/memory.js`,
    find: 'generation: memory.generation + 1,',
    replace: '',
    breaks: 'counts each fault once',
    from: 8,
    within: 120,
  },
  {
    name: 'deletes Pods before they have written a checkpoint',
    line: 'TrainingJob line 8',
    file: `${plan}/index.js`,
    find: "if (!isInPlace(situation) || !workers.some(({ phase }) => phase === 'Running'))",
    replace: 'if (true)',
    breaks: 'counts each fault once',
    from: 5,
    within: 20,
  },
  {
    name: 'gives the place of a rank that is done to a spare',
    line: 'TrainingJob line 10',
    file: `${plan}/generation.js`,
    find: ' || isFinishing(situation)',
    replace: '',
    breaks: '',
    from: 4,
    within: 200,
  },
];
