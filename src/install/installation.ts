import type { PolicyRule } from '../rbac/rules.js';
import { type Identity, imageVersion } from '../workload/identity.js';

/** A kind as the API server addresses it. */
export interface InstalledKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Whether the cluster can lack the kind. The controller then waits for it without blocking others. @default false */
  readonly optional?: boolean;
  /** Whether objects may be in other namespaces than those of the resources. @default false */
  readonly crossNamespace?: boolean;
  /** Those other namespaces. @default - any */
  readonly namespaces?: readonly string[] | 'watched';
}

/** The part of a controller that the installation needs. The controllers of the operator have it. */
export interface InstalledController {
  readonly name: string;
  readonly kind: InstalledKind;
  /** Where it reports. Of a kind whose status belongs to others, no CRD is installed. @default 'status' */
  readonly reportsTo?: 'status' | 'events' | 'annotation';
  /**
   * The kinds that it creates. A controller that creates objects outside the namespaces of its resources must watch those
   * namespaces too.
   */
  readonly owns?: readonly Omit<InstalledKind, 'group' | 'version' | 'plural'>[];
  /**
   * The kinds that it reads, by the names of the reads. A controller that reads other namespaces than those of its
   * resources must watch them too, and one that requires a cluster-scoped kind must watch all namespaces.
   */
  readonly reads?: Readonly<Record<string, { readonly kind: InstalledKind }>>;
  /** Its permissions in each watched namespace. */
  readonly rbacRules: readonly PolicyRule[];
}

/** An operator and its namespace. */
export interface Installation extends Identity {
  readonly namespace: string;
}

/** The ports of the Pods of the operator, by the names that the probes and the Service use. */
export const operatorPorts = { metrics: 8080, health: 8081, acme: 8082 } as const;

/** Whether a controller answers HTTP-01 challenges of ACME servers, which need a port and the address of the Pod. */
export function answersChallenges(controllers: readonly Pick<InstalledController, 'name'>[]): boolean {
  return controllers.some(({ name }) => name === 'certificate-challenges');
}

/** Whether a controller asks launchers of candidates, which accept only tokens that are bound to their audience. */
export function asksLaunchers(controllers: readonly Pick<InstalledController, 'name'>[]): boolean {
  return controllers.some(({ name }) => name === 'leaderelection');
}

/**
 * The identity of an operator.
 * @param image image of the operator, whose tag is its version
 */
export function installationOf(name: string, namespace: string, image?: string): Installation {
  const version = image === undefined ? undefined : imageVersion(image);
  return { name, namespace, labels: operatorLabels(name), managedBy: 'cdk8s', version };
}

/** The labels of the Pods of an operator. */
function operatorLabels(name: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'reconstruct', 'app.kubernetes.io/instance': name };
}
