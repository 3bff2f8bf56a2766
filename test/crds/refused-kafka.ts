const storage = { size: '10Gi' };
const pool = { name: 'large', replicas: 2, storage };
const topicAcl = { resource: { type: 'Topic', name: 'orders' }, operations: ['Read'] };

/** Specs, the field that the API server names, and the message. */
export type Refused = readonly (readonly [spec: object, field: string, message: string])[];

const listeners = (...all: readonly object[]) => ({
  listeners: all.map((one, index) => ({ name: `l${index}`, port: 9092 + index, ...one })),
});
const config = (...pairs: readonly (readonly [string, string])[]) => ({ config: Object.fromEntries(pairs) });

/** Brokers with additional volumes. */
const more = (...volumes: readonly object[]) => ({
  brokers: {
    storage: { ...storage, additionalVolumes: volumes.map((one) => ({ name: 'fast', size: '10Gi', ...one })) },
  },
});
const hook = (preRestart: object) => ({ hooks: { preRestart } });

/** Wrong fields of a KafkaCluster. */
export const REFUSED_CLUSTERS: Refused = [
  [{ version: '4.2' }, 'spec.version: Unsupported value: "4.2"', 'supported values: "4.3", "4.4"'],
  [{ brokers: {} }, 'spec.brokers.storage', 'Required value'],
  [{ brokers: { storage, replicas: 0 } }, 'spec.brokers.replicas: Invalid value: 0', 'so that a broker keeps the data'],
  [{ brokers: { storage, replicas: 100 } }, 'spec.brokers.replicas: Invalid value: 100', 'less than or equal to 99'],
  [{ brokers: { storage: { size: '1Mi' } } }, 'spec.brokers.storage.size: Invalid value', 'must be at least 256Mi'],
  [{ brokers: { storage: { size: 'big' } } }, 'spec.brokers.storage.size: Invalid value', 'must be a size, such as'],
  [
    { brokers: { storage: { ...storage, additionalVolumes: [{ name: 'fast' }] } } },
    'spec.brokers.storage.additionalVolumes[0].size',
    'Required',
  ],
  [more({ name: 'a-b' }), 'spec.brokers.storage.additionalVolumes[0].name: Invalid value: "a-b"', 'should match'],
  [more({ name: 'data' }), 'spec.brokers.storage.additionalVolumes[0].name', 'must not be data'],
  [more({ size: '1Mi' }), 'spec.brokers.storage.additionalVolumes[0].size', 'must be at least 256Mi'],
  [more({}, {}), 'spec.brokers.storage.additionalVolumes[1]: Duplicate value', 'fast'],
  [
    { brokers: { storage, podTemplate: { volumes: [{ name: 'kafka-data-fast', emptyDir: {} }] } } },
    'spec.brokers.podTemplate.volumes[0].name',
    'must not be a volume of the operator',
  ],
  [{ controllers: { replicas: 0 } }, 'spec.controllers.replicas: Invalid value: 0', 'must be an odd number'],
  [{ controllers: { replicas: 4 } }, 'spec.controllers.replicas: Invalid value: 4', 'use 1, 3 or 5'],
  [{ controllers: { storage: { size: '1Mi' } } }, 'spec.controllers.storage.size', 'must be at least 256Mi'],
  [
    { controllers: { combined: true }, brokers: { storage, replicas: 4 } },
    'spec.brokers.replicas: Invalid value',
    'must be 1, 3, 5 or 7 with controllers.combined',
  ],
  [
    { controllers: { combined: true }, brokers: { storage, replicas: 9 } },
    'spec.brokers.replicas: Invalid value',
    'add a pool for more brokers',
  ],
  [{ pools: [pool, pool] }, 'spec.pools[1]: Duplicate value', 'large'],
  [{ pools: [{ ...pool, name: 'broker' }] }, 'spec.pools[0].name: Invalid value: "broker"', 'choose another name'],
  [{ pools: [{ ...pool, name: 'controller' }] }, 'spec.pools[0].name: Invalid value', 'choose another name'],
  [{ pools: [{ ...pool, name: 'a-b' }] }, 'spec.pools[0].name: Invalid value: "a-b"', 'should match'],
  [{ listeners: [] }, 'spec.listeners: Invalid value: 0', 'should have at least 1 items'],
  [listeners({}, { port: 9092 }), 'spec.listeners: Invalid value', 'must have different ports; change one of them'],
  [listeners({}, { name: 'l0' }), 'spec.listeners[1]: Duplicate value', 'l0'],
  [listeners({ port: 9091 }), 'spec.listeners[0].port: Invalid value: 9091', 'greater than or equal to 9092'],
  [listeners({ port: 9404 }), 'spec.listeners[0].port: Invalid value: 9404', 'less than or equal to 9399'],
  [listeners({ name: 'controller' }), 'spec.listeners[0].name', 'must not be controller or replication'],
  [listeners({ external: { type: 'Ingress' } }), 'spec.listeners[0].external.type: Unsupported', '"LoadBalancer"'],
  [
    listeners({ external: { type: 'NodePort' } }),
    'spec.listeners[0].external.host: Invalid value',
    'must be set for NodePort, where it leads to the machines',
  ],
  [
    listeners({ external: { type: 'TlsRoute', gateway: { name: 'edge' } } }),
    'spec.listeners[0].external.host: Invalid value',
    'and for TlsRoute, where broker-ID.HOST leads to the Gateway',
  ],
  [
    listeners({ external: { type: 'TlsRoute', host: 'kafka.example.com' } }),
    'spec.listeners[0].external.gateway: Invalid value',
    'name a Gateway with a TLS listener in mode Passthrough',
  ],
  [
    listeners({ external: { type: 'NodePort', host: 'kafka.example.com', gateway: { name: 'edge' } } }),
    'spec.listeners[0].external.gateway: Invalid value',
    'must not be set for other types',
  ],
  [
    listeners({ external: { type: 'LoadBalancer', host: 'Kafka' } }),
    'spec.listeners[0].external.host: Invalid value',
    'must be a DNS name',
  ],
  [
    listeners({
      tls: { enabled: false },
      external: { type: 'TlsRoute', host: 'kafka.example.com', gateway: { name: 'edge' } },
    }),
    'spec.listeners[0].external.type: Invalid value',
    'by the name in the TLS handshake; set tls.enabled to true',
  ],
  [listeners({ name: 'a-b' }), 'spec.listeners[0].name: Invalid value: "a-b"', 'should match'],
  [
    listeners({ authentication: 'MutualTls', tls: { enabled: false } }),
    'spec.listeners[0].authentication: Invalid value',
    'must be Scram or None without TLS',
  ],
  [listeners({ authentication: 'Off' }), 'spec.listeners[0].authentication: Unsupported value', '"Scram"'],
  [config(['node.id', '7']), 'spec.config: Forbidden', 'property node.id must not be set, because the operator gives'],
  [config(['ssl.keystore.type', 'JKS']), 'spec.config: Forbidden', 'property ssl.keystore.type must not be set'],
  [config(['sasl.enabled.mechanisms', 'PLAIN']), 'spec.config: Forbidden', 'set listeners instead'],
  [config(['listener.name.internal.x', 'y']), 'spec.config: Forbidden', 'set listeners instead'],
  [config(['controller.quorum.voters', '1@a:1']), 'spec.config: Forbidden', 'its identity and its peers; remove it'],
  [config(['log.dirs', '/tmp']), 'spec.config: Forbidden', 'set brokers.storage instead'],
  [config(['super.users', 'User:me']), 'spec.config: Forbidden', 'set authorization instead'],
  [config(['unclean.leader.election.enable', 'true']), 'spec.config: Forbidden', 'loses acknowledged ones; remove it'],
  [config(['leader.replication.throttled.rate', '1']), 'spec.config: Forbidden', 'because rebalance.throttle sets it'],
  [config(['Log Retention', '1']), 'spec.config: Invalid value', 'key Log Retention must be the name of a Kafka'],
  [config(['a.b', '1\nnode.id=7']), 'spec.config: Invalid value', 'must not have a line break'],
  [
    config(['min.insync.replicas', '4']),
    'spec.config: Invalid value',
    'at most default.replication.factor, which is 3',
  ],
  [
    config(['min.insync.replicas', '3'], ['default.replication.factor', '2']),
    'spec.config: Invalid value',
    'lower min.insync.replicas',
  ],
  [{ jvm: { heap: 'large' } }, 'spec.jvm.heap: Invalid value', 'must be an amount of memory, such as'],
  [{ jvm: { options: ['-Xmx2g'] } }, 'spec.jvm.options[0]: Invalid value', 'set jvm.heap instead'],
  [{ jvm: { options: ['-XX:MaxHeapSize=2g'] } }, 'spec.jvm.options[0]: Invalid value', 'set jvm.heap instead'],
  [{ jvm: { options: ['-Da=b -Dc=d'] } }, 'spec.jvm.options[0]: Invalid value', 'should match'],
  [
    listeners({ authentication: 'None' }),
    'spec.listeners: Invalid value',
    'must not have authentication None with authorization Acl',
  ],
  [
    { racks: { topologyKey: 'example.com/rack' } },
    'spec.racks.topologyKey: Invalid value: "example.com/rack"',
    'because Kubernetes copies no other label of a machine to its Pods',
  ],
  [{ finalize: { after: '91d' } }, 'spec.finalize.after: Invalid value', 'must be from 1s to 90d'],
  [hook({}), 'spec.hooks.preRestart: Invalid value', 'must have exactly one action; set http or job'],
  [
    hook({ http: { url: 'https://a' }, job: { image: 'a' } }),
    'spec.hooks.preRestart: Invalid value',
    'set http or job',
  ],
  [hook({ job: {} }), 'spec.hooks.preRestart.job.image', 'Required value'],
  [hook({ job: { image: 'A B' } }), 'spec.hooks.preRestart.job.image: Invalid value', 'must be the name of an image'],
  [hook({ job: { image: 'a', command: [] } }), 'spec.hooks.preRestart.job.command', 'at least 1 items'],
  [hook({ job: { image: 'a', backoffLimit: -1 } }), 'spec.hooks.preRestart.job.backoffLimit', 'or equal to 0'],
  [
    hook({ job: { image: 'a', podTemplate: { env: [{ name: 'HOOK_ID', value: 'mine' }] } } }),
    'spec.hooks.preRestart.job.podTemplate.env[0].name',
    'must not be a variable that the operator sets',
  ],
  [
    hook({ job: { image: 'a', podTemplate: { volumeMounts: [{ name: 'a', mountPath: '/a' }] } } }),
    'spec.hooks.preRestart.job.podTemplate.volumeMounts',
    'must each name one of volumes',
  ],
  [
    hook({ job: { image: 'a', podTemplate: { volumes: [{ name: 'a', secret: { secretName: 'b' }, emptyDir: {} }] } } }),
    'spec.hooks.preRestart.job.podTemplate.volumes[0]',
    'must have exactly one source; set one of configMap, secret, emptyDir',
  ],
  [
    hook({ job: { image: 'a', podTemplate: { securityContext: { runAsUser: 0 } } } }),
    'spec.hooks.preRestart.job.podTemplate.securityContext.runAsUser',
    'must not be 0, which is root',
  ],
  [{ replaceAfter: '0s' }, 'spec.replaceAfter: Invalid value', 'must be from 1s to 90d'],
  [{ rebalance: { throttle: 'fast' } }, 'spec.rebalance.throttle', 'must be a number of bytes per second'],
  [
    { brokers: { storage, podTemplate: { serviceAccountName: 'mine' } } },
    'spec.brokers.podTemplate.serviceAccountName: Forbidden',
    'annotate the ServiceAccount of the cluster instead',
  ],
  [
    { controllers: { podTemplate: { env: [{ name: 'KAFKA_ROLE', value: 'broker' }] } } },
    'spec.controllers.podTemplate.env[0].name: Invalid value',
    'choose another name',
  ],
  [
    { pools: [{ ...pool, podTemplate: { securityContext: { runAsUser: 0 } } }] },
    'spec.pools[0].podTemplate.securityContext.runAsUser',
    'belong to user and group 1000; remove it',
  ],
];

/** Wrong fields of a KafkaTopic. */
export const REFUSED_TOPICS: Refused = [
  [{ cluster: {} }, 'spec.cluster.name', 'Required value'],
  [{ partitions: 0 }, 'spec.partitions: Invalid value: 0', 'greater than or equal to 1'],
  [{ replication: 10 }, 'spec.replication: Invalid value: 10', 'less than or equal to 9'],
  [{ topicName: 'a b' }, 'spec.topicName: Invalid value: "a b"', 'should match'],
  [{ topicName: '..' }, 'spec.topicName: Invalid value: ".."', 'which Kafka uses itself; choose another name'],
  [{ topicName: '__offsets' }, 'spec.topicName: Invalid value', 'which Kafka uses itself; choose another name'],
  [{ topicName: 'x'.repeat(250) }, 'spec.topicName: Too long', '249'],
  [config(['min.insync.replicas', '4']), 'spec.config: Invalid value', 'must be at most replication'],
  [
    { replication: 1, ...config(['min.insync.replicas', '2']) },
    'spec.config: Invalid value',
    'lower min.insync.replicas or raise replication',
  ],
  [config(['leader.replication.throttled.replicas', '*']), 'spec.config: Forbidden', 'sets it while replicas move'],
  [config(['unclean.leader.election.enable', 'true']), 'spec.config: Forbidden', 'loses acknowledged ones; remove it'],
];

/** Wrong fields of a KafkaUser. */
export const REFUSED_USERS: Refused = [
  [{ authentication: 'None' }, 'spec.authentication: Unsupported value', '"Scram", "MutualTls"'],
  [{ acls: [{ ...topicAcl, operations: [] }] }, 'spec.acls[0].operations: Invalid value', 'at least 1 items'],
  [{ acls: [{ ...topicAcl, operations: ['Eat'] }] }, 'spec.acls[0].operations[0]: Unsupported value', '"Read"'],
  [{ acls: [{ ...topicAcl, operations: ['Read', 'Read'] }] }, 'spec.acls[0].operations[1]: Duplicate value', 'Read'],
  [
    { acls: [{ ...topicAcl, resource: { type: 'Topic' } }] },
    'spec.acls[0].resource.name: Invalid value',
    'must be set for a Topic, Group or TransactionalId',
  ],
  [
    { acls: [{ ...topicAcl, resource: { type: 'Cluster', name: 'kafka' } }] },
    'spec.acls[0].resource.name: Invalid value',
    'must not be set for the Cluster; correct the name',
  ],
  [
    { acls: [{ ...topicAcl, operations: ['IdempotentWrite'] }] },
    'spec.acls[0].operations: Invalid value',
    'must be operations of a Topic',
  ],
  [
    { acls: [{ ...topicAcl, resource: { type: 'Group', name: 'g' }, operations: ['Read', 'Write'] }] },
    'spec.acls[0].operations: Invalid value',
    'use All, AlterConfigs, Delete, Describe, DescribeConfigs or Read',
  ],
  [
    { acls: [{ ...topicAcl, resource: { type: 'TransactionalId', name: 't' }, operations: ['Read'] }] },
    'spec.acls[0].operations: Invalid value',
    'use All, Describe or Write',
  ],
  [
    { acls: [{ resource: { type: 'Cluster' }, operations: ['Read'] }] },
    'spec.acls[0].operations: Invalid value',
    'must be operations of a Cluster',
  ],
  [{ quotas: { producerByteRate: 'fast' } }, 'spec.quotas.producerByteRate', 'must be a number of bytes per second'],
  [{ quotas: { requestPercentage: 0 } }, 'spec.quotas.requestPercentage: Invalid value: 0', 'or equal to 1'],
];
