import { type DatabaseResource, type DatabaseSpecInput, databaseKind } from '../../../../imports/index.js';
import { type LivePersistentVolumeClaim, PersistentVolumeClaim } from '../../../../operator/index.js';
import { conditionOf } from '../../../../operator/runtime/index.js';
import { instanceLabel, roleLabel } from '../../../../src/index.js';
import { until } from '../../../chaos/wait.js';
import { listed, read } from '../../cluster/api.js';
import { slower } from '../../cluster/kill-mode.js';
import { isReady, type LivePod, Pod } from '../../cluster/kinds.js';
import { applied, kubectl } from '../../cluster/kubectl.js';

/** The init SQL: where the rows of writers go, and a row for each time that it ran. */
const initSql = `
  CREATE TABLE numbers (writer text, n bigint, PRIMARY KEY (writer, n));
  CREATE TABLE beginnings (at timestamptz DEFAULT clock_timestamp());
  INSERT INTO beginnings DEFAULT VALUES;`;

/** A small Database that is deleted without a final backup. */
export const small: DatabaseSpecInput = {
  storage: { size: '1Gi' },
  resources: { requests: { cpu: '50m', memory: '128Mi' } },
  placement: { spread: 'Required' },
  deletionPolicy: 'Delete',
};

/** A Database as a user has it: applied, edited, watched, and asked. */
export class TriedDatabase {
  constructor(
    readonly namespace: string,
    readonly name: string,
    public spec: DatabaseSpecInput = small,
  ) {}

  /** Applies its spec with changes, which stay. */
  async apply(changes: Partial<DatabaseSpecInput> = {}): Promise<void> {
    this.spec = { ...this.spec, ...changes };
    const { namespace, name, spec } = this;
    await applied({ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'Database', metadata: { namespace, name }, spec });
  }

  /** Applies it for the first time, with the tables of writers, and waits until it is well. */
  async begin(): Promise<void> {
    const configMap = `${this.name}-init`;
    const metadata = { namespace: this.namespace, name: configMap };
    await applied({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'init.sql': initSql } });
    await this.apply({ bootstrap: { ...this.spec.bootstrap, initSql: { configMapRef: { name: configMap } } } });
    await this.until('it is ready', isWell, 180);
  }

  async live(): Promise<DatabaseResource> {
    const live = await this.found();
    if (live) return live;
    throw new Error(`there is no Database ${this.namespace}/${this.name}`);
  }

  /** Undefined once it is gone. */
  found(): Promise<DatabaseResource | undefined> {
    return read(databaseKind, this);
  }

  /** Resolves when its status meets a condition. @param within seconds. @returns when that was seen, milliseconds since 1970 */
  async until(what: string, isSo: (database: DatabaseResource) => boolean, within = 90): Promise<number> {
    let last: DatabaseResource | undefined;
    const asked = async () => {
      last = await this.live();
      return isSo(last);
    };
    const instead = () => JSON.stringify(last?.status?.conditions);
    await until(asked, { what: `${this.name}: ${what}`, within: within * 1000 * slower, every: 200, instead });
    return Date.now();
  }

  /** Its instances, those that are on their way out too. */
  async pods(): Promise<readonly LivePod[]> {
    const labelSelector = `cluster-name=${this.name}`;
    return listed(Pod, { namespace: this.namespace, labelSelector });
  }

  /** The volumes of its instances. */
  async claims(): Promise<readonly LivePersistentVolumeClaim[]> {
    const labelSelector = `reconstruct.dev/database=${this.name},${instanceLabel}`;
    return listed(PersistentVolumeClaim, { namespace: this.namespace, labelSelector });
  }

  /** Resolves to the instance that leads and is ready. @param but one that must not be it */
  async primary(but?: string, within = 90): Promise<LivePod> {
    let [leads] = await this.#leading(but);
    const isThere = async () => {
      [leads] = await this.#leading(but);
      return leads !== undefined;
    };
    await until(isThere, {
      what: `${this.name} has a primary but ${but ?? 'none'}`,
      within: within * 1000,
      every: 200,
    });
    return leads ?? (await this.primary(but, within));
  }

  async #leading(but: string | undefined): Promise<readonly LivePod[]> {
    const isPrimary = ({ metadata }: LivePod) => metadata.labels?.[roleLabel] === 'master' && metadata.name !== but;
    return (await this.pods()).filter((pod) => isPrimary(pod) && isReady(pod));
  }

  /** What a query answers, a line for each row, asked as superuser in an instance. @param instance the primary, if none */
  async sql(query: string, instance?: string): Promise<string> {
    const pod = instance ?? (await this.primary()).metadata.name;
    return this.inPod(
      pod,
      'psql',
      '-qAtX',
      '-v',
      'ON_ERROR_STOP=1',
      '-F',
      ' ',
      '-U',
      'postgres',
      '-d',
      'app',
      '-c',
      query,
    );
  }

  /** Runs a command in the container of PostgreSQL. @returns its output */
  async inPod(pod: string, ...command: readonly string[]): Promise<string> {
    const said = await kubectl(['--namespace', this.namespace, 'exec', pod, '-c', 'postgres', '--', ...command]);
    return said.trimEnd();
  }
}

/** Whether its spec was looked at, and all that is wanted is there and does its part. */
export function isWell(database: DatabaseResource): boolean {
  const { metadata, status } = database;
  return status?.observedGeneration === metadata.generation && is(database, 'Ready');
}

/** Whether a condition is True. */
export function is({ status }: DatabaseResource, type: string): boolean {
  return status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false;
}

/** The reason and the message of a condition. */
export function said(resource: DatabaseResource, type: string): string {
  const condition = conditionOf(resource, type);
  return condition ? `${condition.reason}: ${condition.message}` : `no condition ${type}`;
}
