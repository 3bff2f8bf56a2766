import { databaseKind, type SecretRotationResource } from '../../../imports/index.js';
import { type Facts, type Refer, Secret } from '../../runtime/index.js';

/** Kinds that a SecretRotation owns. */
export const owns = [Secret] as const;

/** The Database whose logins rotate. */
export const reads = (refer: Refer<SecretRotationResource>) => ({
  database: refer.named(databaseKind, ({ spec }) => spec.source.database?.name, partOfDatabase),
});

/** What a rotation needs to know of a Database. */
export interface DatabasePart {
  readonly database: string;
  readonly owner: string;
  /** Grows at each failover and restore. */
  readonly timeline: number;
}

function partOfDatabase({ spec, status }: NonNullable<(typeof databaseKind)['resource']>): DatabasePart {
  const { database, owner } = spec.bootstrap;
  return { database, owner, timeline: status?.timeline ?? 0 };
}

/** The input of `polls`, `desire` and `assess` that does not change with time. */
export type StableRotation = Pick<
  Facts<SecretRotationResource, (typeof owns)[number], ReturnType<typeof reads>>,
  'resource' | 'owned' | 'reads'
>;
