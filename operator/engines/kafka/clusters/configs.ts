import { groupedBy } from '../connection/grouped-by.js';
import type { AskOptions, KafkaSession } from '../connection/session.js';

/** What a configuration belongs to. The name of the defaults of all brokers is empty. */
export interface ConfigOwner {
  readonly type: 'topic' | 'broker';
  readonly name: string;
}

/** A property with a value, its own or a default. */
export interface ConfigEntry {
  readonly name: string;
  /** Undefined for a sensitive property. */
  readonly value: string | undefined;
  /** Set for the owner itself, and not in the file of a broker. */
  readonly isOwn: boolean;
}

/** Properties to set and to remove. */
export interface ConfigChange {
  readonly owner: ConfigOwner;
  readonly set?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
}

/** The numbers of the protocol. */
const types = { topic: 2, broker: 4 } as const;
const operations = { set: 0, remove: 1 } as const;

/** The source of what is set for an owner itself. */
function ownSource({ type, name }: ConfigOwner): number {
  if (type === 'topic') return 1;
  return name === '' ? 3 : 2;
}

/**
 * The properties of several owners, by their names. An owner that does not exist is absent.
 * @param keys only these. @default - all
 */
export async function configsOf(
  session: KafkaSession,
  owners: readonly ConfigOwner[],
  keys?: readonly string[],
  options: Pick<AskOptions, 'at' | 'within'> = {},
): Promise<ReadonlyMap<string, readonly ConfigEntry[]>> {
  if (owners.length === 0) return new Map();
  const resources = owners.map(({ type, name }) => ({
    resourceType: types[type],
    resourceName: name,
    configurationKeys: (keys ? [...keys] : null) as string[],
  }));
  const { results } = await session.ask('describeConfigs', [resources, false, false], { ...options, partly: true });
  const answered = results.filter(({ errorCode, errorMessage }) => {
    if (errorCode !== 0 && !isGone(errorCode)) throw session.refusal(errorCode, errorMessage);
    return errorCode === 0;
  });
  const sources = new Map(owners.map((owner) => [owner.name, ownSource(owner)]));
  return new Map(
    answered.map(({ resourceName, configs }) => [
      resourceName,
      configs.map(({ name, value, configSource }) => ({
        ...{ name, value: value ?? undefined },
        isOwn: configSource === sources.get(resourceName),
      })),
    ]),
  );
}

/** UNKNOWN_TOPIC_OR_PARTITION */
function isGone(code: number): boolean {
  return code === 3;
}

/** Changes properties, and leaves the others as they are. @throws {CallError} for the first that is refused */
export async function changeConfigs(
  session: KafkaSession,
  changes: readonly ConfigChange[],
  options: Pick<AskOptions, 'at'> = {},
): Promise<void> {
  const resources = changedResources(changes);
  if (resources.length > 0) await session.ask('alterConfigs', [resources, false], options);
}

/** Changes of properties as the call `alterConfigs` takes them, without those that change nothing. */
export function changedResources(changes: readonly ConfigChange[]) {
  return changes.flatMap(({ owner, set = {}, remove = [] }) => {
    const configs = [
      ...Object.entries(set).map(([name, value]) => ({ name, configOperation: operations.set, value })),
      ...remove.map((name) => ({ name, configOperation: operations.remove })),
    ];
    return configs.length > 0 ? [{ resourceType: types[owner.type], resourceName: owner.name, configs }] : [];
  });
}

/** Values by the names of properties, as far as they are the owner's own. */
export function valuesOf(entries: readonly ConfigEntry[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    entries.flatMap(({ name, value, isOwn }) => (isOwn && value !== undefined ? [[name, value]] : [])),
  );
}

/** The brokers whose replicas a limit holds for, as a property of their topic. */
export function replicaList(pairs: readonly (readonly [partition: number, broker: number])[]): string {
  return [...groupedBy(pairs, ([partition, broker]) => `${partition}:${broker}`).keys()].join(',');
}
