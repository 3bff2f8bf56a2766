/** Which files may import what, as `docs/architecture.md` draws it. */
export interface ImportRule {
  /** The files it is about, from the repository's root. */
  readonly from: RegExp;
  /** All that these may import: project files by their path, packages by their name, and `node:` modules. */
  readonly may: readonly RegExp[];
  /** Exceptions to `may`. */
  readonly never?: readonly RegExp[];
  /** The reason, which the failure prints. */
  readonly because: string;
}

const cdk8s = /^(cdk8s|constructs)$/;
const kit = /^operator\/runtime\//;
const node = /^node:/;

/** The first rule whose `from` matches a file is the one that holds for it. */
export const importRules: readonly ImportRule[] = [
  {
    from: /^crds\//,
    may: [/^crds\//],
    because: 'crds is the API and depends on nothing',
  },
  {
    from: /^imports\//,
    may: [/^imports\//, cdk8s],
    because: 'imports is generated, and nothing of it needs more than cdk8s',
  },
  {
    from: /^src\//,
    may: [/^(src|imports|crds)\//, cdk8s, /^cdk8s-plus-/, /^node:crypto$/],
    because: 'src turns props into objects: no operator, no client, no file, no process',
  },
  {
    from: /^operator\/runtime\//,
    may: [kit, cdk8s, /^node:(crypto|events)$/],
    because: 'the runtime knows Kubernetes, but no kind and no client',
  },
  {
    from: /^operator\/cluster\/connection\/official-kubeconfig\.ts$/,
    may: [/^operator\/cluster\//, kit, /^node:child_process$/, /^@kubernetes\/client-node$/],
    because: 'only official-kubeconfig.ts may load the official client, which is large',
  },
  {
    from: /^operator\/cluster\//,
    may: [
      /^operator\/cluster\//,
      /^operator\/runtime\/(kubernetes\/(errors|kinds|object|timestamp)|ports\/(clock|cluster|pod-logs)|concurrency\/backoff|fields\/merge)\.ts$/,
      /^operator\/yaml\//,
      /^undici$/,
      node,
    ],
    because: "the edge speaks HTTP and knows the runtime's port alone",
  },
  {
    from: /^operator\/engines\/metrics\//,
    may: [
      /^operator\/engines\/metrics\//,
      /^operator\/controllers\/algorithm\/(ports\/[^/]+|judgement\/index)\.ts$/,
      /^operator\/runtime\/(kubernetes\/(errors|kinds|object)|ports\/(all-pages|clock|cluster|external-port)|concurrency\/(abort-signals|semaphore)|controller\/reads)\.ts$/,
      /^undici$/,
      node,
    ],
    because: 'the metrics engine implements the ports of the Algorithm: no src, no cluster, no other engine',
  },
  {
    from: /^operator\/yaml\//,
    may: [/^operator\/yaml\//, /^yaml$/],
    because: 'only operator/yaml may load the YAML library: its defaults read other values than kubectl',
  },
  {
    from: /^operator\/certificates\//,
    may: [/^operator\/certificates\//, node, /^@peculiar\/x509$/, /^reflect-metadata$/],
    because: 'certificates are made of keys and names',
  },
  {
    from: /^operator\/egress\//,
    may: [
      /^operator\/egress\//,
      /^operator\/runtime\/(kubernetes\/errors|ports\/external-call)\.ts$/,
      /^undici$/,
      node,
    ],
    because: 'egress knows addresses and no kind',
  },
  {
    from: /^operator\/engines\/postgres\/postgres-session\.ts$/,
    may: [/^pg$/, /^node:(net|tls)$/],
    because: 'only postgres-session.ts may load the client of PostgreSQL',
  },
  {
    from: /^operator\/engines\/postgres\//,
    may: [
      /^operator\/engines\/postgres\//,
      /^operator\/(certificates|passwords)\//,
      /^operator\/egress\//,
      /^operator\/controllers\/(database|secret-rotation)\/ports\/[^/]+\.ts$/,
      /^operator\/runtime\/(kubernetes\/(errors|kinds)|external\/secret-access|ports\/(clock|cluster|external-(call|port))|concurrency\/abort-signals)\.ts$/,
      /^undici$/,
      node,
    ],
    because:
      'the postgres engine implements the ports of Database and SecretRotation: no src, no cluster, no other engine',
  },
  {
    from: /^operator\/engines\/kafka\/connection\/(library|missing-calls)\.ts$/,
    may: [
      /^operator\/engines\/kafka\//,
      /^operator\/controllers\/kafka\/ports\/[^/]+\.ts$/,
      /^operator\/runtime\/ports\/external-call\.ts$/,
      /^@platformatic\/kafka$/,
    ],
    because: 'only library.ts and missing-calls.ts may know the client of Kafka, which is large',
  },
  {
    from: /^operator\/engines\/kafka\//,
    may: [
      /^operator\/engines\/kafka\//,
      /^operator\/controllers\/kafka\/ports\/[^/]+\.ts$/,
      /^operator\/disruption\//,
      /^operator\/egress\//,
      /^operator\/kafka\/(access|users)\.ts$/,
      /^operator\/runtime\/(kubernetes\/errors|external\/secret-access|ports\/(clock|cluster|external-(call|port))|concurrency\/(abort-signals|semaphore))\.ts$/,
      node,
    ],
    because: 'the kafka engine implements the ports of Kafka: no src, no cluster, no other engine',
  },
  {
    from: /^operator\/engines\/etcd\//,
    may: [
      /^operator\/engines\/etcd\//,
      /^operator\/controllers\/etcd\/ports\/[^/]+\.ts$/,
      /^operator\/egress\//,
      /^operator\/runtime\/(kubernetes\/errors|external\/secret-access|ports\/(clock|cluster|external-(call|port))|concurrency\/abort-signals)\.ts$/,
      /^undici$/,
      node,
    ],
    because: 'the etcd engine implements the port of EtcdCluster: no src, no cluster, no other engine',
  },
  {
    from: /^operator\/engines\/training\//,
    may: [
      /^operator\/engines\/training\//,
      /^operator\/controllers\/training\/ports\/[^/]+\.ts$/,
      /^operator\/runtime\/(kubernetes\/(errors|kinds|object)|concurrency\/abort-signals|ports\/(all-pages|clock|cluster|external-(call|port)|pod-logs))\.ts$/,
      /^(src\/manifest\/quantity|crds\/training\/log-pattern)\.ts$/,
      node,
    ],
    because:
      'the training engine implements the ports of TrainingJob, and reads quantities and patterns: no cluster, no other engine',
  },
  {
    from: /^operator\/kafka\//,
    may: [/^operator\/(kafka\/|(members|runtime)\/index\.ts$)/, /^(src|imports)\//],
    because:
      'users of Kafka, their rights and their listeners are the same for the controllers of Kafka and of rotations',
  },
  {
    from: /^operator\/engines\/consumers\//,
    may: [
      /^operator\/(engines\/)?consumers\//,
      /^operator\/runtime\/(kubernetes\/(errors|json|kinds|object)|ports\/(all-pages|clock|cluster|external-(call|port)))\.ts$/,
      node,
    ],
    because: 'the engine of consumers implements the ports of operator/consumers: no src, no cluster, no other engine',
  },
  {
    from: /^operator\/consumers\//,
    may: [
      /^operator\/consumers\//,
      /^operator\/runtime\/(kubernetes\/(kinds|object|truncate)|ports\/external-port)\.ts$/,
      /^node:crypto$/,
    ],
    because: 'the states of consumers follow from live objects: several controllers and an engine share them',
  },
  {
    from: /^operator\/pods\/gone-nodes-source\.ts$/,
    may: [/^operator\/pods\//, /^operator\/runtime\/(kubernetes\/kinds|ports\/(cluster|external-port))\.ts$/],
    because: 'the source of deleted nodes reads the API server',
  },
  {
    from: /^operator\/passwords\//,
    may: [/^operator\/(passwords\/|runtime\/index\.ts$)/, /^node:crypto$/],
    because: 'passwords are drawn in one way for the controllers of all engines',
  },
  {
    from: /^operator\/members\//,
    may: [/^operator\/(members|disruption|pods)\//, /^operator\/runtime\/index\.ts$/, cdk8s],
    because: 'the engine of stateful kinds knows Pods, PVCs and Nodes, and no kind',
  },
  {
    from: /^operator\/disruption\//,
    may: [/^operator\/disruption\//],
    because: 'what may be taken down is decided by values alone, for the controllers and engines of all systems',
  },
  {
    from: /^operator\/pods\//,
    may: [/^operator\/(pods\/|runtime\/index\.ts$)/, /^src\//],
    because: 'what Pods, PVCs and Nodes report is the same for the controllers of all engines',
  },
  {
    from: /^operator\/dns\//,
    may: [/^operator\/(dns\/|runtime\/ports\/external-port\.ts$)/],
    because: 'the records of DNS zones are values: controllers and the engine of DNS share the port',
  },
  {
    from: /^operator\/engines\/dns\//,
    may: [
      /^operator\/engines\/dns\//,
      /^operator\/(dns|egress)\//,
      /^operator\/runtime\/(kubernetes\/errors|ports\/(clock|external-call|external-port)|concurrency\/abort-signals)\.ts$/,
      node,
    ],
    because:
      'the dns engine implements the port of operator/dns without a library: no src, no cluster, no other engine',
  },
  {
    from: /^operator\/engines\/acme\//,
    may: [
      /^operator\/engines\/acme\//,
      /^operator\/(certificates|egress)\//,
      /^operator\/controllers\/certificates\/ports\/[^/]+\.ts$/,
      /^operator\/runtime\/(kubernetes\/errors|ports\/(clock|external-call|external-port))\.ts$/,
      /^(acme-client|undici)$/,
      node,
    ],
    because: 'the acme engine implements the ports of certificates: no src, no cluster, no other engine',
  },
  {
    from: /^operator\/engines\/hooks\//,
    may: [
      /^operator\/engines\/hooks\//,
      /^operator\/egress\//,
      /^operator\/members\/hooks\/port\.ts$/,
      /^operator\/runtime\/ports\/(clock|external-(call|port))\.ts$/,
    ],
    because: 'the engine of hooks implements the port of operator/members: no src, no cluster, no other engine',
  },
  {
    from: /^operator\/engines\/certificates\//,
    may: [
      /^operator\/engines\/certificates\//,
      /^operator\/certificates\//,
      /^operator\/controllers\/certificates\/ports\/[^/]+\.ts$/,
      /^operator\/runtime\/ports\/(clock|external-call|external-port)\.ts$/,
    ],
    because: 'the engine of certificates implements the ports of issuers and Certificates: no src, no cluster',
  },
  {
    from: /^operator\/engines\//,
    may: [],
    because: 'an engine imports the ports beside its controller, runtime values and its library: add a rule for it',
  },
  {
    from: /^operator\/telemetry\//,
    may: [/^operator\/telemetry\//, /^operator\/config\//, kit, /^(pino|prom-client|@opentelemetry\/api)$/, node],
    because: 'telemetry listens to the runtime',
  },
  {
    from: /^operator\/testing\/nodes\//,
    may: [/^operator\/(testing\/nodes|cluster)\//, kit, /^node:util$/],
    because: 'simulated nodes are a client of the API server, and know no kind',
  },
  {
    from: /^operator\/testing\//,
    may: [
      /^operator\/(testing|certificates|yaml)\//,
      /^operator\/members\/index\.ts$/,
      kit,
      node,
      /^(tar|undici|vitest)$/,
    ],
    because: 'the test kit knows the runtime, the engine of stateful kinds, and no kind',
  },
  {
    from: /^operator\/controllers\/index\.ts$/,
    may: [/^operator\/controllers\/([^/]+\/index|system)\.ts$/, /^operator\/runtime\/index\.ts$/],
    because: 'the list of controllers is nothing else',
  },
  {
    from: /^operator\/controllers\/algorithm\/judgement\/statistics\/beta\.ts$/,
    may: [/^cephes$/, /^node:module$/],
    because: 'only beta.ts may load the special functions, which take a while to load',
  },
  {
    from: /^operator\/schedule\//,
    may: [/^croner$/],
    because: 'only operator/schedule may load the library that reads cron schedules',
  },
  {
    from: /^operator\/(config\/|process\/(flags|options|resource-list)\.ts$)/,
    may: [
      /^operator\/(config\/config|egress\/address-rules|process\/(flags|options|resource-list)|runtime\/leader\/lease-times)\.ts$/,
      /^node:util$/,
    ],
    because: 'the configuration is values and their flags',
  },
  {
    from: /^operator\/(?!controllers\/[^/]+\/)/,
    may: [/^operator\/(?!main\.ts|testing\/)/, node],
    because: 'the rest of operator puts the parts together, without the test kit',
  },
  {
    from: /^(cli|examples)\//,
    may: [/./],
    never: [/^operator\/main\.ts$/, /^test\//, /^yaml$/],
    because: 'main is an entry point, tests are not part of the product, and operator/yaml reads YAML as kubectl does',
  },
  {
    from: /^test\//,
    may: [/./],
    never: [/^(operator|cli)\/main\.ts$/],
    because: 'main is an entry point: it runs when it is imported',
  },
];

/** The part of the certificates that only reads: pure and synchronous. */
const reading = /^operator\/certificates\/(pkcs12|public-authorities|reading|times|usages)\.ts$/;

/** Controllers do not know each other. @returns the rule for the files of one controller's folder */
export function controllerRule(folder: string): ImportRule {
  return {
    from: new RegExp(`^operator/controllers/${folder}/`),
    may: [
      new RegExp(`^operator/controllers/${folder}/`),
      /^operator\/(consumers|disruption|dns|kafka|passwords|pods|schedule)\//,
      /^operator\/members\/index\.ts$/,
      /^operator\/runtime\/index\.ts$/,
      ...(folder === 'certificates' ? [reading, /^node:crypto$/] : []),
      ...(folder === 'kafka' ? [/^operator\/certificates\/reading\.ts$/] : []),
      /^(src|imports|crds)\//,
      cdk8s,
      /^cdk8s-plus-/,
    ],
    because:
      'a controller knows the runtime, the constructs, schedules, consumers, disruption, members, records of DNS, users of Kafka, passwords, Pods, shared ports and itself: no cluster, no process, no other controller',
  };
}
