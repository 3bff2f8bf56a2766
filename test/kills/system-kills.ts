/** The number of kills, and the listener for progress. */
export interface KillsProps {
  /** How many kills. */
  readonly kills: number;
  /** One of the parts of the system. @default - all of them */
  readonly part?: string;
  readonly say: (line: string) => void;
  /** Ends it after the kill that it is at. */
  readonly signal: AbortSignal;
}

/** What came of it. */
export interface KillsResult {
  /** Seconds without an acknowledged row or record, or without a step, of each kill. */
  readonly pauses: readonly number[];
  /** Rows or records that were acknowledged, or steps. */
  readonly acknowledged: number;
  /** How often another instance was the primary afterwards, another controller led the quorum, or a generation began. */
  readonly changes: number;
  /** Rows or records that were acknowledged and are not there. */
  readonly lost: readonly string[];
  /** Moments at which two instances of a Database took writes. */
  readonly overlaps?: readonly string[];
  /** The cost of each kind of fault. */
  readonly table?: readonly string[];
}

/** How the Pods of a system are killed, and the words for it. */
export interface SystemKills {
  /** What is killed, such as `nodes of a KafkaCluster`. */
  readonly victims: string;
  /** What clients are promised, such as `records`. */
  readonly counted: string;
  /** The name of the pauses in the summary, such as `secondsWithoutWrites`. */
  readonly pauses: string;
  /** What can be killed by itself. @default - it has no parts */
  readonly parts?: readonly string[];
  /** Kills, and counts what was promised. The namespace exists, and is deleted afterwards. */
  readonly run: (namespace: string, props: KillsProps) => Promise<KillsResult>;
}
