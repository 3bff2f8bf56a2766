import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, chmod, chown, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Loose } from '../../given.js';
import { Container } from './container.js';

type Objects = readonly Loose<object>[];

/** The user and the group of the image. */
const user = 999;

/** What the image has, as it is called on a Debian. */
const needed = {
  'postgresql-15': '/usr/lib/postgresql/15/bin/initdb',
  pgbackrest: '/usr/bin/pgbackrest',
  'python3-psycopg2': '/usr/lib/python3/dist-packages/psycopg2',
  patroni: '/usr/bin/patroni',
  'python3-pysyncobj': '/usr/lib/python3/dist-packages/pysyncobj',
  'util-linux': '/usr/bin/nsenter',
  iproute2: '/bin/ip',
};

/** Why containers of instances cannot run on this machine; undefined where they can. */
export function absence(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux';
  const missing = Object.entries(needed).filter(([, path]) => !existsSync(path));
  return missing.length > 0
    ? `it takes Debian 12 with ${missing.map(([name]) => name).join(', ')}: apt-get install them`
    : undefined;
}

/**
 * Runs containers of rendered Pods with the programs of the image, on this machine: what they mount, under the paths, the
 * user and the names that they have in a cluster. All are on one network of their own.
 */
export class Kubelet implements AsyncDisposable {
  readonly #containers: Container[] = [];
  #addresses = 1;

  private constructor(
    readonly folder: string,
    readonly network: ChildProcess,
  ) {}

  static async start(): Promise<Kubelet> {
    const folder = await mkdtemp(join(tmpdir(), 'kubelet-'));
    await chmod(folder, 0o755);
    const network = spawn('unshare', ['--net', 'sh', '-c', 'ip link set lo up && echo ready && exec cat']);
    await readiness(network, 'the network');
    await writeFile(join(folder, 'hosts'), '127.0.0.1 localhost\n');
    return new Kubelet(folder, network);
  }

  /** The arguments that run a program of this machine on the network of the containers. */
  get onNetwork(): readonly string[] {
    return [`--net=/proc/${this.network.pid}/ns/net`, '--'];
  }

  /** Gives a host a name. @returns its address */
  async named(...names: readonly string[]): Promise<string> {
    const address = `127.0.0.${++this.#addresses}`;
    await appendFile(join(this.folder, 'hosts'), `${address} ${names.join(' ')}\n`);
    return address;
  }

  /** Starts the containers of a Pod, without a process yet. @param objects the ConfigMaps and Secrets that it mounts */
  async pod(pod: Loose<object>, objects: Objects): Promise<Containers> {
    const { hostname, subdomain, containers } = pod['spec'];
    const address = await this.named(`${hostname}.${subdomain}.${pod['metadata'].namespace}.svc`, hostname);
    const folder = await mkdtemp(join(this.folder, `${hostname}-`));
    await chmod(folder, 0o755);
    const started: Record<string, Container> = {};
    for (const container of containers)
      started[container.name] = await this.#container(container, { pod, objects, folder, address });
    return new Containers(started);
  }

  async #container({ name, volumeMounts, env = [] }: Loose<object>, placed: Placed): Promise<Container> {
    const { folder, pod } = placed;
    const mounts = [`${join(this.folder, 'hosts')}:/etc/hosts:ro`];
    for (const mount of volumeMounts) {
      const from = await this.#volume(mount.name, placed);
      mounts.push(`${from}:${mount.mountPath}:${mount.readOnly ? 'ro' : 'rw'}`);
    }
    const root = join(folder, name);
    await this.#root(root);
    const script = ['sh', join(import.meta.dirname, 'container-root.sh'), root, resolve('images/postgres/bin')];
    const within = ['unshare', '--mount', '--propagation', 'private'];
    const holder = spawn('nsenter', [...this.onNetwork, ...within, ...script, ...mounts]);
    await readiness(holder, `container ${name} of ${pod['metadata'].name}`);
    const said = env.flatMap((one: { name: string; value?: string }) =>
      one.value ? [`${one.name}=${one.value}`] : [],
    );
    const container = new Container(name, root, holder, [...said, `OWNER=reconstruct uid-of-${pod['metadata'].name}`]);
    this.#containers.push(container);
    return container;
  }

  /** What an image has in `/etc`. */
  async #root(root: string): Promise<void> {
    await mkdir(join(root, 'etc'), { recursive: true });
    await writeFile(join(root, 'etc', 'passwd'), `postgres:x:${user}:${user}::/var/lib/postgresql:/usr/sbin/nologin\n`);
    await writeFile(join(root, 'etc', 'group'), `postgres:x:${user}:\n`);
    await writeFile(join(root, 'etc', 'hosts'), '');
    for (const file of ['nsswitch.conf', 'ld.so.cache']) await copyFile(`/etc/${file}`, join(root, 'etc', file));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const container of this.#containers) await container.end();
    this.network.stdin?.end();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The folder of a volume of a Pod; claims are shared, by name. */
  async #volume(name: string, { pod, objects, folder, address }: Placed): Promise<string> {
    const volume = pod['spec'].volumes.find((one: { name: string }) => one.name === name);
    const { persistentVolumeClaim: claim, projected } = volume;
    const place = claim ? join(this.folder, 'claims', claim.claimName) : join(folder, 'volumes', name);
    await mkdir(place, { recursive: true });
    await chown(place, user, user);
    for (const [path, text] of projected ? filesOf(projected.sources, objects) : []) {
      const file = join(place, path);
      await mkdir(dirname(file), { recursive: true });
      // Each has the network for itself in a cluster.
      await writeFile(file, text.replace('tls-server-address=*', `tls-server-address=${address}`));
      await chown(file, 0, user);
      await chmod(file, projected.defaultMode);
    }
    return place;
  }
}

/** The containers of a Pod, by name. */
export class Containers {
  constructor(readonly all: Readonly<Record<string, Container>>) {}

  /** @throws {Error} when the Pod has none of that name */
  named(name: string): Container {
    const found = this.all[name];
    if (!found) throw new Error(`the Pod has no container ${name}`);
    return found;
  }

  async end(): Promise<void> {
    for (const container of Object.values(this.all)) await container.end();
  }
}

interface Placed {
  readonly pod: Loose<object>;
  readonly objects: Objects;
  readonly folder: string;
  readonly address: string;
}

/** The files of a projected volume, with what is in them. @throws {Error} when one is missing that must be there */
function filesOf(sources: readonly Loose<object>[], objects: Objects): readonly (readonly [string, string])[] {
  return sources.flatMap((source) => {
    const kind = source['configMap'] ? 'ConfigMap' : 'Secret';
    const { name, items = [], optional } = source['configMap'] ?? source['secret'] ?? {};
    if (name === undefined) return [];
    const data = objects.find((one) => one['kind'] === kind && one['metadata'].name === name)?.['data'] ?? {};
    return items.flatMap(({ key, path }: { readonly key: string; readonly path: string }) => {
      const text = data[key];
      if (text !== undefined) return [[path, kind === 'Secret' ? Buffer.from(text, 'base64').toString() : text]];
      if (optional) return [];
      throw new Error(`${kind} ${name} has no ${key}`);
    });
  });
}

async function readiness(child: ChildProcess, what: string): Promise<void> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'exit').then(() => 'ended');
  const said = child.stdout ? once(child.stdout, 'data').then(String) : ended;
  if (!(await Promise.race([said, ended])).startsWith('ready')) throw new Error(`${what} does not start: ${stderr}`);
}
