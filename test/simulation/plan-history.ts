import type { Bug } from './bug.js';

/** One history of the plan of a system. */
export interface PlanHistory {
  readonly lines: readonly string[];
  /** The promise that was broken, and how. */
  readonly broken?: string | undefined;
}

/** Plays the history of a seed. Equal for equal seeds. */
export type Play = (seed: number) => Promise<PlanHistory> | PlanHistory;

/** Histories of a plan, by the name on the command line. */
export type Histories = Readonly<Record<string, Play>>;

/** A mistake in the plan of a system. Its file is below `operator/`. */
export type PlanBug = Omit<Bug, 'subject' | 'breaks'> & {
  readonly breaks: string;
  /** The histories that find it. @default - the ones with the name of the system */
  readonly history?: string;
};

/** The mistakes that the histories of a system must find. */
export interface PlanBugs {
  /** Whose histories they are, such as `a KafkaCluster`. */
  readonly of: string;
  readonly all: readonly PlanBug[];
}
