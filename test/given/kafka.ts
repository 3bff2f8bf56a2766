import { createPrivateKey, randomBytes } from 'node:crypto';
import { CertificateAuthority } from '../../operator/certificates/authority.js';
import type { KafkaAddress } from '../../operator/kafka/access.js';
import { freePort } from '../../operator/testing/control-plane/free-port.js';
import { kafkaJars } from './kafka-jars.js';
import { type Identity, KafkaNode } from './kafka-node.js';

export { kafkaAbsence } from './kafka-jars.js';

/** A cluster of Kafka for a test. */
export interface GivenKafkaProps {
  /** @default '4.4.0' */
  readonly version?: string;
  /** Dedicated controllers, whose ids are 1000 and above. @default 1, or none if the brokers are controllers */
  readonly controllers?: number;
  /** Brokers are controllers too. @default false */
  readonly combined?: boolean;
  /** Brokers, whose ids are 0 and above. @default 1 */
  readonly brokers?: number;
  /** Racks of the brokers in turn. @default - none */
  readonly racks?: readonly string[];
  /** Further certificates of all brokers, by the names of their folders. @default - none */
  readonly identities?: Readonly<Record<string, Identity>>;
  /** Lines of the configuration of all brokers. @default - those of a cluster of this size */
  readonly config?: Readonly<Record<string, string>>;
}

const host = 'localhost';
const name = 'events';

interface Place {
  readonly id: number;
  readonly role: 'broker' | 'controller';
  /** By the name of the listener. */
  readonly ports: Readonly<Record<string, number>>;
  readonly directoryId: string;
}

function isController({ ports }: Place): boolean {
  return ports['CONTROLLER'] !== undefined;
}

/** A real cluster of processes on this machine, with mutual TLS between its nodes and for the operator, SCRAM for users, and ACLs. */
export class GivenKafka implements AsyncDisposable {
  readonly #nodes = new Map<number, KafkaNode>();
  readonly #places = new Map<number, Place>();
  readonly clusterId = kafkaUuid();

  private constructor(
    private readonly props: GivenKafkaProps,
    private readonly jars: string,
    readonly authority: CertificateAuthority,
    /** The certificate of the nodes. */
    readonly own: Identity,
    /** The certificate of the operator, who may do everything. */
    readonly operator: Identity,
  ) {}

  /** Starts the controllers and brokers together, and waits until they serve. */
  static async start(props: GivenKafkaProps = {}): Promise<GivenKafka> {
    const { combined = false, controllers = combined ? 0 : 1, brokers = 1, version = '4.4.0' } = props;
    const authority = await CertificateAuthority.create();
    const own = await identityOf(authority, `${name}-nodes`);
    const operator = await identityOf(authority, `${name}-operator`);
    const kafka = new GivenKafka(props, await kafkaJars(version), authority, own, operator);
    try {
      for (let n = 0; n < controllers; n++) await kafka.#place(1000 + n, 'controller');
      for (let n = 0; n < brokers; n++) await kafka.#place(n, 'broker');
      const initial = [...kafka.#places.values()]
        .filter(isController)
        .map(({ id, ports, directoryId }) => `${id}@${host}:${ports['CONTROLLER']}:${directoryId}`);
      for (const place of kafka.#places.values()) await kafka.#create(place, initial.join(','));
      await Promise.all([...kafka.#nodes.values()].map((node) => node.start()));
    } catch (error) {
      await kafka[Symbol.asyncDispose]();
      throw error;
    }
    return kafka;
  }

  /** Where the operator connects, by the brokers' ids. */
  get bootstrap(): readonly KafkaAddress[] {
    return this.#addresses('REPLICATION');
  }

  /** Where users connect, by the brokers' ids: TLS and SCRAM-SHA-512. */
  get users(): readonly KafkaAddress[] {
    return this.#addresses('INTERNAL');
  }

  /** Where the controllers are, by their ids. */
  get controllers(): readonly KafkaAddress[] {
    return this.#addresses('CONTROLLER');
  }

  /** The ids of the nodes that are there, running or not. */
  get ids(): readonly number[] {
    return [...this.#nodes.keys()].toSorted((a, b) => a - b);
  }

  /** A node, to stop, kill and start it. */
  node(id: number): KafkaNode {
    const node = this.#nodes.get(id);
    if (node) return node;
    throw new Error(`there is no node ${id}, only ${this.ids.join(', ')}`);
  }

  /** Identifier of the disk of an initial controller. */
  directoryId(id: number): string {
    return this.#places.get(id)?.directoryId ?? '';
  }

  /** Adds a node with an empty volume, and waits until it serves. A controller observes the quorum until it is made a voter. */
  async add(id: number, role: 'broker' | 'controller'): Promise<KafkaNode> {
    const node = await this.#create(await this.#place(id, role), '');
    await node.start();
    return node;
  }

  /** Kills a node for good, with its volume. */
  async remove(id: number): Promise<void> {
    await this.node(id).dispose();
    this.#nodes.delete(id);
    this.#places.delete(id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#nodes.values()].map((node) => node.dispose()));
  }

  #addresses(listener: string): readonly KafkaAddress[] {
    return [...this.#places.values()]
      .toSorted((a, b) => a.id - b.id)
      .flatMap(({ ports }) => (ports[listener] === undefined ? [] : [{ host, port: ports[listener] }]));
  }

  async #place(id: number, role: Place['role']): Promise<Place> {
    const ofBroker = [...(this.props.combined ? ['CONTROLLER'] : []), 'REPLICATION', 'INTERNAL'];
    const listeners = role === 'controller' ? ['CONTROLLER'] : ofBroker;
    const ports: Record<string, number> = {};
    for (const listener of listeners) ports[listener] = await freePort();
    const place = { id, role, ports, directoryId: kafkaUuid() };
    this.#places.set(id, place);
    return place;
  }

  async #create(place: Place, initialControllers: string): Promise<KafkaNode> {
    const { id, role, ports } = place;
    const { racks, identities } = this.props;
    const listeners = (at: string) => Object.entries(ports).map(([listener, port]) => `${listener}://${at}:${port}`);
    const quorum = this.controllers.map((one) => `${one.host}:${one.port}`);
    const node = await KafkaNode.create({
      ...{
        id,
        role,
        jars: this.jars,
        clusterId: this.clusterId,
        identities: { nodes: this.own, ...(role === 'broker' && identities) },
      },
      properties: {
        shared: lines({ ...common, ...(role === 'broker' && brokerConfig(this.props)) }),
        own: lines({
          'node.id': `${id}`,
          listeners: listeners('127.0.0.1').join(','),
          'advertised.listeners': listeners(host).join(','),
          'controller.quorum.bootstrap.servers': quorum.join(','),
          'process.roles': role === 'broker' && isController(place) ? 'broker,controller' : role,
          ...(racks && role === 'broker' && { 'broker.rack': racks[id % racks.length] ?? '' }),
        }),
      },
      env: { KAFKA_INITIAL_CONTROLLERS: isController(place) ? initialControllers : '' },
    });
    this.#nodes.set(id, node);
    return node;
  }
}

/** A certificate of a node or a client of Kafka, which reads no other encoding of keys than PKCS #8. */
export async function identityOf(authority: CertificateAuthority, commonName: string): Promise<Identity> {
  const { certificate, key } = await authority.issue({ commonName, hosts: [host, '127.0.0.1'] });
  const pkcs8 = createPrivateKey(key).export({ type: 'pkcs8', format: 'pem' });
  return { certificate, key: pkcs8.toString(), ca: authority.own.certificate };
}

const common: Readonly<Record<string, string>> = {
  'controller.listener.names': 'CONTROLLER',
  'listener.security.protocol.map': 'CONTROLLER:SSL,REPLICATION:SSL,INTERNAL:SASL_SSL',
  'ssl.keystore.type': 'PEM',
  'ssl.keystore.location': 'RUN/tls/nodes/keystore.pem',
  'ssl.truststore.type': 'PEM',
  'ssl.truststore.location': 'RUN/tls/nodes/truststore.pem',
  'ssl.allow.dn.changes': 'true',
  'ssl.allow.san.changes': 'true',
  'listener.name.controller.ssl.client.auth': 'required',
  'listener.name.replication.ssl.client.auth': 'required',
  'log.dirs': 'DATA',
  'controller.quorum.auto.join.enable': 'false',
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  // A broker that was killed is fenced sooner, and may come back sooner.
  'broker.session.timeout.ms': '3000',
  'broker.heartbeat.interval.ms': '500',
  'super.users': `User:CN=${name}-nodes;User:CN=${name}-operator`,
};

function brokerConfig({ brokers = 1, config }: GivenKafkaProps): Readonly<Record<string, string>> {
  const replicas = `${Math.min(3, brokers)}`;
  const inSync = brokers >= 3 ? '2' : '1';
  const scram = 'org.apache.kafka.common.security.scram.ScramLoginModule required;';
  return {
    'inter.broker.listener.name': 'REPLICATION',
    'listener.name.internal.sasl.enabled.mechanisms': 'SCRAM-SHA-512',
    'listener.name.internal.scram-sha-512.sasl.jaas.config': scram,
    'listener.name.internal.ssl.client.auth': 'none',
    'auto.create.topics.enable': 'false',
    'default.replication.factor': replicas,
    'min.insync.replicas': inSync,
    'offsets.topic.replication.factor': replicas,
    'offsets.topic.num.partitions': '3',
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': inSync,
    'transaction.state.log.num.partitions': '3',
    'group.initial.rebalance.delay.ms': '0',
    ...config,
  };
}

function lines(properties: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(properties).map(([key, value]) => `${key}=${value}`);
}

/** Like Kafka's `Uuid.randomUuid()`. It begins with no dash, which programs would read as an option. */
function kafkaUuid(): string {
  const text = randomBytes(16).toString('base64url');
  return text.startsWith('-') ? kafkaUuid() : text;
}
