import type { KafkaClusterSpec } from '../../../imports/index.js';
import { externalListeners } from '../external/addresses.js';
import { isKafkaController, type KafkaNodeRef, kafkaGroups } from '../naming/identity.js';
import {
  kafkaHost,
  kafkaNodeName,
  kafkaPorts,
  kafkaPrincipals,
  listenerCertificateName,
} from '../naming/object-names.js';
import { dividedProperties } from './dynamic-properties.js';

type Properties = Readonly<Record<string, string>>;

/** A KafkaCluster whose nodes are configured. */
export interface Configured {
  readonly name: string;
  readonly namespace: string;
  readonly spec: KafkaClusterSpec;
  /** The number of brokers from which the defaults of replication follow. @default - those of the spec */
  readonly brokersForDefaults?: number | undefined;
}

/** The key store that the image writes for a certificate. */
const keyStore = (certificate: string, prefix = ''): Properties => ({
  [`${prefix}ssl.keystore.type`]: 'PEM',
  [`${prefix}ssl.keystore.location`]: `/run/kafka/tls/${certificate}/keystore.pem`,
});

/** The log directory on the first volume of a node. */
const firstDirectory = '/var/lib/kafka/data';

/** The certificate of the nodes, as a folder. */
export const nodesFolder = 'nodes';

/** True for a listener with another issuer, or with names that other listeners do not have. */
export function hasOwnCertificate({ tls, external }: KafkaClusterSpec['listeners'][number]): boolean {
  return tls.enabled && (tls.issuer !== undefined || external !== undefined);
}

/** The certificates that a broker mounts: a folder, and the Secret with it. */
export function certificateFolders({ name, spec }: Pick<Configured, 'name' | 'spec'>) {
  return spec.listeners
    .filter(hasOwnCertificate)
    .map((listener) => ({ folder: listener.name, secret: listenerCertificateName(name, listener.name) }));
}

/** On a slow machine, the default of one minute is too short for a first start. The broker would end and begin again. */
const registration: Properties = { 'initial.broker.registration.timeout.ms': '600000' };

/** The properties that all brokers share. */
export function brokerProperties(cluster: Configured): string {
  return propertiesText({
    ...registration,
    ...commonProperties(cluster),
    'process.roles': 'broker',
    'inter.broker.listener.name': 'REPLICATION',
    ...Object.assign({}, ...cluster.spec.listeners.map((listener) => listenerProperties(listener))),
  });
}

/** The properties that all controllers share. */
export function controllerProperties(cluster: Configured): string {
  return propertiesText({ ...commonProperties(cluster), 'process.roles': 'controller' });
}

/**
 * Controllers create topics and fence brokers, so they have the same defaults and the same properties of the spec.
 */
function commonProperties({ name, spec, brokersForDefaults }: Configured): Properties {
  const { nodes, operator } = kafkaPrincipals(name);
  const protocols = spec.listeners.map(({ name: of, tls, authentication }) => {
    const isScram = authentication === 'Scram';
    return `${of.toUpperCase()}:${tls.enabled ? (isScram ? 'SASL_SSL' : 'SSL') : isScram ? 'SASL_PLAINTEXT' : 'PLAINTEXT'}`;
  });
  return {
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': ['CONTROLLER:SSL', 'REPLICATION:SSL', ...protocols].join(','),
    ...keyStore(nodesFolder),
    // For every listener: another issuer could sign a certificate with the name of a node, which may do everything.
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': `/run/kafka/tls/${nodesFolder}/truststore.pem`,
    // A renewed certificate may have the names of new addresses, or those that another issuer writes. A reload would be refused.
    'ssl.allow.dn.changes': 'true',
    'ssl.allow.san.changes': 'true',
    'listener.name.controller.ssl.client.auth': 'required',
    'listener.name.replication.ssl.client.auth': 'required',
    'log.dirs': firstDirectory,
    // The operator adds and removes voters: a controller that is removed would add itself again.
    'controller.quorum.auto.join.enable': 'false',
    ...(spec.authorization === 'Acl' && {
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      'super.users': `User:CN=${nodes};User:CN=${operator}`,
    }),
    ...replicationDefaults(brokersForDefaults ?? brokersIn(spec)),
    ...dividedProperties(spec).fixed,
  };
}

/**
 * The dynamic properties of all brokers. Kafka itself sets `min.insync.replicas` for the cluster and refuses to remove it,
 * so it is always stated.
 * @see https://cwiki.apache.org/confluence/display/KAFKA/KIP-966%3A+Eligible+Leader+Replicas
 */
export function dynamicProperties(spec: KafkaClusterSpec, brokersForDefaults = brokersIn(spec)): Properties {
  return { [minInSync]: inSyncReplicas(brokersForDefaults), ...dividedProperties(spec).dynamic };
}

/** The property that topics without an own value inherit. */
export const minInSync = 'min.insync.replicas';

/** More brokers than these have the same defaults. */
export const mostDefaultReplicas = 3;

/** The number of brokers, of all pools. */
export function brokersIn(spec: KafkaClusterSpec): number {
  return kafkaGroups(spec)
    .filter(({ role }) => role === 'broker')
    .reduce((sum, { replicas }) => sum + replicas, 0);
}

function inSyncReplicas(brokers: number): string {
  return brokers >= mostDefaultReplicas ? '2' : '1';
}

/** Defaults for production, as far as the number of brokers allows them. */
function replicationDefaults(brokers: number): Properties {
  const replicas = String(Math.max(1, Math.min(mostDefaultReplicas, brokers)));
  const inSync = inSyncReplicas(brokers);
  return {
    'auto.create.topics.enable': 'false',
    'default.replication.factor': replicas,
    [minInSync]: inSync,
    'num.partitions': '3',
    'offsets.topic.replication.factor': replicas,
    'share.coordinator.state.topic.replication.factor': replicas,
    'share.coordinator.state.topic.min.isr': inSync,
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': inSync,
  };
}

function listenerProperties(listener: KafkaClusterSpec['listeners'][number]): Properties {
  const { name, tls, authentication } = listener;
  const prefix = `listener.name.${name}.`;
  const scram = {
    [`${prefix}sasl.enabled.mechanisms`]: 'SCRAM-SHA-512',
    [`${prefix}scram-sha-512.sasl.jaas.config`]: 'org.apache.kafka.common.security.scram.ScramLoginModule required;',
  };
  return {
    ...(hasOwnCertificate(listener) && keyStore(name, prefix)),
    ...(tls.enabled && { [`${prefix}ssl.client.auth`]: authentication === 'MutualTls' ? 'required' : 'none' }),
    ...(authentication === 'Scram' && scram),
  };
}

/**
 * The properties of one node.
 * @param controllers the existing controllers, with which it finds the quorum
 * @param advertised its addresses for clients in other networks, by listener
 */
export function nodeProperties(
  { name, namespace, spec }: Configured,
  node: KafkaNodeRef,
  controllers: readonly KafkaNodeRef[],
  advertised: Readonly<Record<string, string>> = {},
): string {
  const host = kafkaHost(kafkaNodeName(name, node), { name, namespace });
  const ports: Readonly<Record<string, number>> = {
    ...(isKafkaController(node) && { CONTROLLER: kafkaPorts.controller }),
    ...(node.role === 'broker' && {
      REPLICATION: kafkaPorts.replication,
      ...Object.fromEntries(spec.listeners.map((listener) => [listener.name.toUpperCase(), listener.port])),
    }),
  };
  const external = new Map(externalListeners(spec).map((one) => [one.name.toUpperCase(), advertised[one.name]]));
  const toClients = Object.entries(ports).flatMap(([listener, port]) => {
    const address = external.has(listener) ? external.get(listener) : `${host}:${port}`;
    return address === undefined ? [] : [`${listener}://${address}`];
  });
  const quorum = controllers.map(
    (one) => `${kafkaHost(kafkaNodeName(name, one), { name, namespace })}:${kafkaPorts.controller}`,
  );
  return propertiesText({
    'node.id': String(node.id),
    // It replaces that of the brokers in pools, which are no controllers.
    ...(node.isCombined && { 'process.roles': 'broker,controller' }),
    listeners: Object.entries(ports)
      .map(([listener, port]) => `${listener}://:${port}`)
      .join(','),
    'advertised.listeners': toClients.join(','),
    'controller.quorum.bootstrap.servers': quorum.join(','),
  });
}

/** The folder in which the additional volumes of a broker are mounted, and that of one volume. */
export const volumesFolder = '/var/lib/kafka-volumes';

/**
 * The log directories of a broker with additional volumes. It replaces the one directory that all nodes have. The first one
 * stays the first, because it has the metadata log.
 */
export function logDirectories(volumes: readonly string[]): string {
  if (volumes.length === 0) return '';
  return propertiesText({
    'log.dirs': [firstDirectory, ...volumes.map((one) => `${volumesFolder}/${one}/data`)].join(','),
  });
}

/** The volume of a log directory. The first one is `data`. Undefined for an unknown one. */
export function volumeOfDirectory(directory: string): string | undefined {
  if (directory === firstDirectory) return 'data';
  const [, name] = /^\/var\/lib\/kafka-volumes\/([a-z0-9]+)\/data$/.exec(directory) ?? [];
  return name;
}

/** In the format of Java, in which a backslash begins an escape, and which Java reads as Latin-1. */
export function propertiesText(properties: Properties): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value.replaceAll('\\', '\\\\').replace(/[^\x20-\x7e]/g, escaped)}\n`)
    .join('');
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
