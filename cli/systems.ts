import type { Command } from 'commander';
import type { Dashboard } from './dashboards/dashboard.js';

/** What users and operators of a system have here. Each part is in a module of its own, which is loaded when it is needed. */
interface SystemTools {
  /** As in `systems` of `operator/controllers/index.ts`. */
  readonly name: string;
  /** Its commands, by their names on the command line. @default none */
  readonly commands?: Readonly<Record<string, () => Promise<Command>>>;
  /** @default none, because the dashboard of another system shows its metrics */
  readonly dashboard?: () => Promise<Dashboard>;
}

/** Each system with its commands and its dashboard. Add yours here. */
export const systemTools: readonly SystemTools[] = [
  {
    name: 'algorithm',
    commands: { algo: async () => (await import('./algorithm/algo.js')).algoCommand() },
    dashboard: async () => (await import('./algorithm/dashboard.js')).dashboard,
  },
  { name: 'database', dashboard: async () => (await import('./database/dashboard.js')).dashboard },
  {
    name: 'certificates',
    commands: { certificates: async () => (await import('./certificates/certificates.js')).certificatesCommand() },
    dashboard: async () => (await import('./certificates/dashboard.js')).dashboard,
  },
  { name: 'rotation', commands: { rotation: async () => (await import('./rotation/rotation.js')).rotationCommand() } },
  {
    name: 'kafka',
    commands: { kafka: async () => (await import('./kafka/kafka.js')).kafkaCommand() },
    dashboard: async () => (await import('./kafka/dashboard.js')).dashboard,
  },
  {
    name: 'training',
    commands: { training: async () => (await import('./training/training.js')).trainingCommand() },
    dashboard: async () => (await import('./training/dashboard.js')).dashboard,
  },
  {
    name: 'publication',
    commands: { publication: async () => (await import('./publication/publication.js')).publicationCommand() },
    dashboard: async () => (await import('./publication/dashboard.js')).dashboard,
  },
  {
    name: 'leader',
    commands: { leader: async () => (await import('./leader/leader.js')).leaderCommand() },
    dashboard: async () => (await import('./leader/dashboard.js')).dashboard,
  },
  {
    name: 'spark',
    commands: { spark: async () => (await import('./spark/spark.js')).sparkCommand() },
    dashboard: async () => (await import('./spark/dashboard.js')).dashboard,
  },
];

/** Every dashboard, in the order of the list. */
export async function dashboards(): Promise<readonly Dashboard[]> {
  return Promise.all(systemTools.flatMap(({ dashboard }) => (dashboard ? [dashboard()] : [])));
}
