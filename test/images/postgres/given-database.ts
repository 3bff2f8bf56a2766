import { App, Chart } from 'cdk8s';
import { databaseSpec, withDefaults } from '../../../crds/index.js';
import type { DatabaseResource, DatabaseSpec, DatabaseSpecInput } from '../../../imports/index.js';
import { credentialsSource } from '../../../operator/engines/postgres/credentials-source.js';
import { systemClock } from '../../../operator/runtime/ports/clock.js';
import {
  certificateHosts,
  DatabaseArchive,
  DatabasePod,
  DatabaseRepository,
  DatabaseSecrets,
  DatabaseSharedObjects,
  DatabaseWorker,
  type GeneratedSecrets,
  type RestoreSource,
  type WorkerTask,
} from '../../../src/index.js';
import { type Loose, live } from '../../given.js';
import type { Container } from './container.js';
import type { Kubelet } from './kubelet.js';

const namespace = 'shop';
const image = 'postgres:15';
const bin = '/usr/lib/postgresql/15/bin';
const data = '/var/lib/postgresql/pgdata';

/** A Database as the operator renders it, whose containers run on this machine. */
export class GivenDatabase {
  private constructor(
    readonly name: string,
    readonly spec: DatabaseSpec,
    readonly drawn: GeneratedSecrets,
    readonly restored: RestoreSource | undefined,
  ) {}

  static async of(name: string, input: Partial<DatabaseSpecInput>, restored?: RestoreSource): Promise<GivenDatabase> {
    const spec = withDefaults(databaseSpec, { storage: { size: '1Gi' }, ...input } as DatabaseSpecInput);
    const passwords = ['superuser', 'app', 'replication', 'rewind'];
    const certificate = { commonName: name, hosts: certificateHosts(name, namespace) };
    const drawn = await credentialsSource(systemClock)(
      { passwords, certificate },
      { signal: AbortSignal.timeout(60_000) },
    );
    return new GivenDatabase(name, spec, drawn as unknown as GeneratedSecrets, restored);
  }

  /** The same one, of another spec. */
  but(spec: Partial<DatabaseSpec>): GivenDatabase {
    return new GivenDatabase(this.name, { ...this.spec, ...spec }, this.drawn, this.restored);
  }

  /** As the API server has it. */
  get resource(): DatabaseResource {
    const { name, spec } = this;
    const status = { primary: `${name}-1` };
    const kind = { apiVersion: 'reconstruct.dev/v1alpha1', kind: 'Database' } as const;
    const metadata = { name, namespace, creationTimestamp: '2026-11-22T00:00:00Z' };
    return live({ ...kind, metadata, spec, status });
  }

  /** What its Pods mount. @param others Secrets of others */
  objects(...others: readonly Loose<object>[]): readonly Loose<object>[] {
    const { name, spec, drawn, restored } = this;
    const own = rendered((chart) => {
      new DatabaseSharedObjects(chart, 'database', { ...spec, name, restored });
      new DatabaseSecrets(chart, 'secrets', { name, bootstrap: spec.bootstrap, drawn });
      const { backup } = spec;
      if (backup)
        new DatabaseRepository(chart, 'repo', { name, image, instances: [`${name}-1`], spec: { ...spec, backup } });
    });
    return [...own, ...others, rootCertificates];
  }

  /** The Pod that keeps its archive. @throws {Error} where that is a bucket */
  get repository(): Loose<object> {
    const pod = this.objects().find(({ kind, metadata }) => kind === 'Pod' && metadata.name === `${this.name}-repo`);
    if (!pod) throw new Error(`${this.name} has no volume for backups`);
    return pod;
  }

  /** The Pod that serves it an archive. @param claim that of the archive */
  archive(claim: string): Loose<object> {
    return one((chart) => {
      new DatabaseArchive(chart, 'archive', { name: this.name, claim, image });
    });
  }

  get pod(): Loose<object> {
    const { name, spec, restored } = this;
    return one((chart) => {
      new DatabasePod(chart, 'pod', { name, instance: `${name}-1`, spec, image, restored: restored?.source });
    });
  }

  worker(task: WorkerTask, { backup = 'nightly', label }: { backup?: string; label?: string } = {}): Loose<object> {
    const { name: database, spec } = this;
    const name = `${backup}-${task}`;
    const instance = task === 'close' ? `${database}-1` : undefined;
    return one((chart) => {
      new DatabaseWorker(chart, 'worker', {
        ...{ name, namespace, database, backup, spec, image, task, label, instance },
      });
    });
  }
}

/** What every namespace has. */
const rootCertificates: Loose<object> = {
  ...{ kind: 'ConfigMap', metadata: { name: 'kube-root-ca.crt', namespace }, data: { 'ca.crt': '' } },
};

/** A Secret of somebody else. */
export function secret(name: string, texts: Readonly<Record<string, string>>): Loose<object> {
  const encoded = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  return { kind: 'Secret', metadata: { name, namespace }, data: Object.fromEntries(encoded) };
}

/** Has a PostgreSQL begin in a container as Patroni has it, and start with the parameters that Patroni gives it. */
export async function begin(container: Container, { name, spec }: GivenDatabase): Promise<void> {
  await container.must('begin', `--scope=${name}`, `--datadir=${data}`);
  await start(container, { name, spec });
}

/** Starts what has begun, and waits until it takes writes. */
export async function start(container: Container, { name, spec }: Pick<GivenDatabase, 'name' | 'spec'>): Promise<void> {
  const archiving = spec.backup !== undefined;
  const parameters = {
    listen_addresses: '',
    unix_socket_directories: '/run/postgresql',
    wal_level: 'replica',
    archive_mode: archiving ? 'on' : 'off',
    archive_command: archiving ? `pgbackrest --stanza=${name} --io-timeout=5 archive-push %p` : '',
  };
  const options = Object.entries(parameters).map(([key, value]) => `-c ${key}='${value}'`);
  const log = '--log=/tmp/postgresql.log';
  await container.must(`${bin}/pg_ctl`, `--pgdata=${data}`, log, `--options=${options.join(' ')}`, '--wait', 'start');
  while ((await query(container, 'SELECT pg_is_in_recovery()')) !== 'f') await container.must('sleep', '0.1');
}

/** Ends a file of the log, and waits until all that was written before is in the archive. */
export async function archived(container: Container): Promise<void> {
  const file = await query(container, 'SELECT pg_walfile_name(pg_switch_wal())');
  while ((await query(container, `SELECT last_archived_wal >= '${file}' FROM pg_stat_archiver`)) !== 't')
    await container.must('sleep', '0.1');
}

/** What a query answers, without spaces around it. */
export async function query(container: Container, sql: string, database = 'postgres'): Promise<string> {
  const line = ['psql', '--no-psqlrc', '--tuples-only', '--no-align', '--quiet', `--dbname=${database}`];
  return (await container.must(...line, `--command=${sql}`)).trim();
}

/** Stops it at once, as a machine does that loses its power. */
export async function crash(container: Container): Promise<void> {
  await container.run(`${bin}/pg_ctl`, `--pgdata=${data}`, '--mode=immediate', 'stop');
}

/** Has pgBackRest give up after a second what does not answer: a minute, four times, is too long for a test. */
export const impatient = { name: 'PGBACKREST_IO_TIMEOUT', value: '1' };

/** Runs the container of a worker to its end. @returns its output, and its Pod with the kubelet's status */
export async function work(
  kubelet: Kubelet,
  pod: Loose<object>,
  objects: readonly Loose<object>[],
  ...env: readonly { readonly name: string; readonly value: string }[]
) {
  pod['spec'].containers[0].env.push(...env);
  const container = (await kubelet.pod(pod, objects)).named('worker');
  const { code, stderr } = await container.run(...pod['spec'].containers[0].command);
  const told = await container.told(pod['metadata'].name, code);
  const message = await container.said();
  if (message === '') throw new Error(`the worker ended with ${code} and without a word: ${stderr}`);
  const said = JSON.parse(message);
  await container.end();
  return { code, told, said };
}

function rendered(into: (chart: Chart) => void): readonly Loose<object>[] {
  const chart = new Chart(new App(), 'chart', { namespace });
  into(chart);
  return chart.toJson();
}

function one(into: (chart: Chart) => void): Loose<object> {
  const [object] = rendered(into);
  if (!object) throw new Error('nothing was rendered');
  return object;
}
