import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { databaseSpec, withDefaults } from '../../crds/index.js';
import type { DatabaseSpecInput } from '../../imports/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import type { Manifest } from '../manifest/plain.js';
import { rendered } from '../validation/rendered.js';
import { databaseNameProblem, databaseProblems } from './checks.js';
import type { RestoreSource } from './config/pgbackrest-config.js';
import { databaseIdentity } from './naming/identity.js';
import { databaseAccount, databaseBinding, databaseRole } from './objects/access.js';
import { databaseBudgets } from './objects/budgets.js';
import { databaseServices } from './objects/services.js';
import { dynamicSettings, failoverRequests, settings } from './objects/settings.js';

/** Props of {@link DatabaseSharedObjects}: its spec, name and namespace, and the state that the operator knows. */
export interface DatabaseSharedObjectsProps extends DatabaseSpecInput {
  /** The name of the Database. @default - the id of the construct */
  readonly name?: string;
  /** The namespace of the Database. One of the two must be set. @default - the namespace of the chart */
  readonly namespace?: string;
  /**
   * The existing and planned instances. Patroni can write only to their Pods.
   * @default - `NAME-1`, `NAME-2` and so on
   */
  readonly instances?: readonly string[];
  /** The resolved source of `bootstrap.restore`. @default - none: the database starts empty */
  readonly restored?: RestoreSource | undefined;
}

/**
 * The objects that all instances of a Database share, without the instances, which need the operator: it renders a
 * `DatabasePod` and a `DatabaseClaim` for each instance, and the `DatabaseSecrets` once. An app that wants a database
 * renders the resource with `KubeDatabase`.
 *
 * @example new DatabaseSharedObjects(scope, 'database', { name: 'orders', storage: { size: '10Gi' }, deletionPolicy: 'Retain' });
 */
export class DatabaseSharedObjects extends Construct {
  readonly services: Readonly<Record<'rw' | 'ro' | 'r' | 'members', ApiObject>>;
  readonly serviceAccount: ApiObject;
  readonly role: ApiObject;
  readonly roleBinding: ApiObject;
  /** The settings that the Pods read when they start. */
  readonly settings: ApiObject;
  /** The Patroni configuration of all instances. Patroni applies a change at once. */
  readonly dynamicSettings: ApiObject;
  /** The ConfigMap for failover requests to Patroni. */
  readonly failover: ApiObject;
  /** Undefined with fewer than two instances, like the next field. */
  readonly primaryBudget: ApiObject | undefined;
  readonly replicaBudget: ApiObject | undefined;

  constructor(
    scope: Construct,
    id: string,
    { name = id, namespace, instances, restored, ...input }: DatabaseSharedObjectsProps,
  ) {
    super(scope, id);
    const spec = withDefaults(databaseSpec, input);
    const problems = () => [...databaseNameProblem(name), ...databaseProblems(spec)];
    this.node.addValidation({ validate: problems });

    const identity = { ...databaseIdentity(this, { name, namespace }), version: spec.version };
    const { rw, ro, r, members } = databaseServices(identity);
    const add = (objectId: string, manifest: Manifest) => new KubeObject(this, objectId, manifest);
    const ofSpec = <T>(render: () => T) => rendered(this, problems, render);
    this.serviceAccount = add('service-account', databaseAccount(identity));
    const pods = instances ?? ofSpec(() => numbered(name, spec.replicas));
    this.role = add('role', databaseRole(identity, pods));
    this.roleBinding = add('role-binding', databaseBinding(identity));
    this.settings = add(
      'settings',
      ofSpec(() => settings(identity, spec, restored)),
    );
    this.dynamicSettings = add(
      'dynamic-settings',
      ofSpec(() => dynamicSettings(identity, spec)),
    );
    this.failover = add('failover', failoverRequests(identity));
    this.services = { rw: add('rw', rw), ro: add('ro', ro), r: add('r', r), members: add('members', members) };
    const budgets = databaseBudgets(identity, spec.replicas);
    this.primaryBudget = budgets && add('primary-budget', budgets.primary);
    this.replicaBudget = budgets && add('replica-budget', budgets.replicas);
  }
}

function numbered(name: string, replicas: number): readonly string[] {
  return Array.from({ length: Math.max(0, replicas) }, (_, index) => `${name}-${index + 1}`);
}
