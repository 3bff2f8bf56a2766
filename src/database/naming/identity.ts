import { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Identity } from '../../workload/identity.js';

/** The name and namespace of a Database, and the labels of all of its objects. */
export interface DatabaseIdentity extends Identity {
  readonly namespace: string;
}

/** A reference to a Database. */
export interface DatabaseRef {
  /** The name of the Database. */
  readonly name: string;
  /** The namespace of the Database. @default - the namespace of the chart */
  readonly namespace?: string | undefined;
}

/**
 * The identity of a Database.
 * @throws {Error} if neither the Database nor its chart has a namespace, which host names and certificates contain
 */
export function databaseIdentity(scope: IConstruct, { name, namespace }: DatabaseRef): DatabaseIdentity {
  const stated = namespace ?? Chart.of(scope).namespace;
  if (stated === undefined) {
    throw new Error(
      'namespace must be set, because certificates of a Database contain it; set namespace, or the namespace of the chart',
    );
  }
  return { name, namespace: stated, labels: databaseLabels(name) };
}

/** The label with which Patroni distinguishes Databases. Only Pods of instances may have it. */
export const scopeLabel = 'cluster-name';

/** The label that Patroni maintains on the Pods of instances: `master` or `replica`. */
export const roleLabel = 'role';

/**
 * The labels of the objects of a Database. `app.kubernetes.io/instance` is not among them: Argo CD deletes an object
 * without owner reference whose label names one of its applications.
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/
 */
function databaseLabels(name: string) {
  return {
    'app.kubernetes.io/name': 'postgresql',
    'app.kubernetes.io/managed-by': 'reconstruct',
    'reconstruct.dev/database': name,
  };
}

/** The label that objects with data had in earlier versions. */
export const toolLabel = 'app.kubernetes.io/instance';

/**
 * The labels, in addition to {@link scopeLabel}, with which Patroni finds the Pods and ConfigMaps of a Database. They
 * never change: during an update, instances of the earlier version would not find the others. Neither does their order,
 * which is part of the revision of a Pod.
 */
export function patroniLabels(name: string): Readonly<Record<string, string>> {
  const { 'app.kubernetes.io/name': kind, ...others } = databaseLabels(name);
  return { 'app.kubernetes.io/name': kind, [toolLabel]: name, ...others };
}

/** The label of the objects of one instance: its Pod and its PersistentVolumeClaim. */
export const instanceLabel = 'reconstruct.dev/instance';

/** The label of the Pod with the volume of the backups. Its value is the name of the Database. */
export const repositoryLabel = 'reconstruct.dev/repository';

/** The selector of all Pods of a Database: its instances, its repository and its backup workers. */
export function podSelector(database: string): Readonly<Record<string, string>> {
  return { 'reconstruct.dev/database': database };
}

/** The selector of the Pods of its instances, and of no others. */
export function instanceSelector(database: string): Readonly<Record<string, string>> {
  return { ...podSelector(database), [scopeLabel]: database };
}

/** The labels of the Pod of an instance. @param instance name of the instance, such as `orders-2` */
export function instanceLabels(database: string, instance: string): Readonly<Record<string, string>> {
  return { ...patroniLabels(database), [scopeLabel]: database, [instanceLabel]: instance };
}
