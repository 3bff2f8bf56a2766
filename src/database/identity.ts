import { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Identity } from '../workload/identity.js';
import { patroniLabels, scopeLabel } from './config/patroni-config.js';

/** What a Database is called, where it is, and what labels all of its objects have. */
export interface DatabaseIdentity extends Identity {
  readonly namespace: string;
}

/** Who a Database is. */
export interface DatabaseRef {
  /** The Database's name. */
  readonly name: string;
  /** @default - the chart's namespace */
  readonly namespace?: string | undefined;
}

/** @throws {Error} when neither the Database nor its chart says a namespace: host names and certificates have it */
export function databaseIdentity(scope: IConstruct, { name, namespace }: DatabaseRef): DatabaseIdentity {
  const stated = namespace ?? Chart.of(scope).namespace;
  if (stated === undefined) {
    throw new Error('certificates of a Database name its namespace, but none is stated: set it, or that of the chart');
  }
  return { name, namespace: stated, labels: patroniLabels(name) };
}

/** The label of what belongs to one instance: its Pod and its claim. */
export const instanceLabel = 'reconstruct.dev/instance';

/** The label of the Pod that has the volume of the backups: whose they are. */
export const repositoryLabel = 'reconstruct.dev/repository';

/** What selects all Pods of a Database: its instances, the one of its backups, and those that work on them. */
export function podSelector(database: string): Readonly<Record<string, string>> {
  return { 'reconstruct.dev/database': database };
}

/** What selects the Pods of its instances, and those alone. */
export function instanceSelector(database: string): Readonly<Record<string, string>> {
  return { ...podSelector(database), [scopeLabel]: database };
}

/** The labels of the Pod of an instance. @param instance as `orders-2` */
export function instanceLabels(database: string, instance: string): Readonly<Record<string, string>> {
  return { ...patroniLabels(database), [scopeLabel]: database, [instanceLabel]: instance };
}
