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

/** A package that only some files may load. Tests may load every package. */
export interface LibraryRule {
  /** Its name. */
  readonly library: RegExp;
  /** The file that may, or the folder, whose path ends with a slash. Several, if more than one may. */
  readonly only: string | readonly string[];
  /** The reason, which the failure prints. */
  readonly because: string;
}

/** What the files of a folder may import beside what the rule for all folders like it allows. */
export interface Addition {
  /** The folder, with a slash at its end. */
  readonly folder: string;
  readonly may: readonly RegExp[];
  readonly because: string;
}

/** Client libraries and tools: a row each. `importRules` names the packages of constructs. */
export const libraryRules: readonly LibraryRule[] = [
  {
    library: /^@kubernetes\/client-node$/,
    only: 'operator/cluster/connection/official-kubeconfig.ts',
    because: 'only official-kubeconfig.ts may load the official client, which is large',
  },
  {
    library: /^undici$/,
    only: [
      'operator/cluster/http/',
      'operator/egress/',
      ...['acme', 'etcd', 'metrics', 'postgres'].map((engine) => `operator/engines/${engine}/`),
      ...['binaries', 'control-plane'].map((room) => `operator/testing/${room}/`),
    ],
    because: 'requests to addresses in resources go through operator/egress. For another HTTP client, add its folder',
  },
  {
    library: /^pg$/,
    only: 'operator/engines/postgres/postgres-session.ts',
    because: 'only postgres-session.ts may load the client of PostgreSQL',
  },
  {
    library: /^@platformatic\/kafka$/,
    only: ['library', 'missing-calls'].map((file) => `operator/engines/kafka/connection/${file}.ts`),
    because: 'only library.ts and missing-calls.ts may know the client of Kafka, which is large',
  },
  {
    library: /^acme-client$/,
    only: 'operator/engines/acme/',
    because: 'the acme engine loads the client at the first question',
  },
  {
    library: /^(@peculiar\/x509|reflect-metadata)$/,
    only: 'operator/certificates/',
    because: 'only operator/certificates may load the library of certificates, which most operators do not need',
  },
  {
    library: /^cephes$/,
    only: 'operator/controllers/algorithm/judgement/statistics/beta.ts',
    because: 'only beta.ts may load the special functions, which take a while to load',
  },
  {
    library: /^croner$/,
    only: 'operator/schedule/',
    because: 'only operator/schedule may load the library that reads cron schedules',
  },
  {
    library: /^yaml$/,
    only: 'operator/yaml/',
    because: 'only operator/yaml may load the YAML library: its defaults read other values than kubectl',
  },
  {
    library: /^(pino|prom-client|@opentelemetry\/api)$/,
    only: 'operator/telemetry/',
    because: 'only telemetry knows how logs, metrics and traces leave the process',
  },
  { library: /^tar$/, only: 'operator/testing/binaries/', because: 'only the test kit reads archives' },
  { library: /^(commander|diff)$/, only: 'cli/', because: 'only the command has options and prints differences' },
  {
    library: /^json-schema-to-typescript$/,
    only: 'cli/codegen/',
    because: 'only the generator turns schemas into types',
  },
];

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
    may: [/^operator\/cluster\//, kit, /^node:child_process$/],
    because: 'official-kubeconfig.ts asks the official client, which starts plugins, and needs nothing else',
  },
  {
    from: /^operator\/cluster\//,
    may: [
      /^operator\/cluster\//,
      /^operator\/runtime\/(kubernetes\/(errors|kinds|last-writer|object|timestamp)|ports\/(clock|cluster|pod-logs)|concurrency\/backoff|fields\/merge)\.ts$/,
      /^operator\/yaml\//,
      node,
    ],
    because: "the edge speaks HTTP and knows the runtime's port alone",
  },
  {
    from: /^operator\/yaml\//,
    may: [/^operator\/yaml\//],
    because: 'YAML is read in one way',
  },
  {
    from: /^operator\/certificates\/asn1\.ts$/,
    may: [/^node:module$/, /^@peculiar\/asn1-(cms|pfx|rsa|schema|x509)$/, /^asn1js$/],
    because: 'only asn1.ts may load the structures of PKCS #12, which take a while to load',
  },
  {
    from: /^operator\/certificates\//,
    may: [/^operator\/certificates\//, node],
    because: 'certificates are made of keys and names',
  },
  {
    from: /^operator\/egress\//,
    may: [/^operator\/egress\//, /^operator\/runtime\/(kubernetes\/errors|ports\/external-call)\.ts$/, node],
    because: 'egress knows addresses and no kind',
  },
  {
    from: /^operator\/kafka\//,
    may: [/^operator\/(kafka\/|(members|runtime)\/index\.ts$)/, /^(src|imports)\//],
    because:
      'users of Kafka, their rights and their listeners are the same for the controllers of Kafka and of rotations',
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
    from: /^operator\/engines\/[^/]+$/,
    may: [
      /^operator\/engines\/([^/]+\/index|engine)\.ts$/,
      /^operator\/(config\/config|egress\/allowed-addresses|runtime\/ports\/(clock|cluster|external-port|pod-logs))\.ts$/,
      /^node:http$/,
    ],
    because: 'the list of engines, and what they get, is nothing else',
  },
  {
    from: /^operator\/telemetry\//,
    may: [/^operator\/telemetry\//, /^operator\/config\/log-level\.ts$/, kit, node],
    because: 'telemetry listens to the runtime',
  },
  {
    from: /^operator\/testing\/nodes\//,
    may: [/^operator\/(testing\/nodes|cluster)\//, kit, /^node:util$/],
    because: 'simulated nodes are a client of the API server, and know no kind',
  },
  {
    from: /^operator\/testing\//,
    may: [/^operator\/(testing|certificates|yaml)\//, /^operator\/members\/index\.ts$/, kit, node],
    because: 'the test kit knows the runtime, the engine of stateful kinds, and no kind',
  },
  {
    from: /^operator\/controllers\/index\.ts$/,
    may: [/^operator\/controllers\/([^/]+\/(index|options)|system)\.ts$/, /^operator\/runtime\/index\.ts$/],
    because: 'the list of controllers is nothing else',
  },
  {
    from: /^operator\/(options|images)\//,
    may: [/^operator\/(options\/|images\/|runtime\/index\.ts$)/, /^(src\/workload\/image|crds\/index)\.ts$/, cdk8s],
    because: 'options are values and what follows from them, and images follow from schemas: no single kind is known',
  },
  {
    from: /^operator\/controllers\/algorithm\/judgement\/statistics\/beta\.ts$/,
    may: [/^node:module$/],
    because: 'beta.ts knows numbers',
  },
  {
    from: /^operator\/retry\//,
    may: [/^operator\/retry\//, /^(crds|src)\/index\.ts$/, /^node:crypto$/],
    because: 'what follows after a failed attempt is decided by values alone, for the controllers of all kinds of jobs',
  },
  {
    from: /^operator\/schedule\//,
    may: [],
    because: 'schedules are texts and times',
  },
  {
    from: /^operator\/(config\/|process\/(flags|options)\.ts$)/,
    may: [
      /^operator\/(config\/[^/]+|controllers\/configured|egress\/address-rules|options\/[^/]+|process\/(flags|options)|runtime\/leader\/lease-times)\.ts$/,
      /^node:util$/,
    ],
    because: 'the configuration is values and their flags, and the options of systems',
  },
  {
    from: /^operator\/(?!(controllers|engines)\/[^/]+\/)/,
    may: [/^operator\/(?!main\.ts|testing\/)/, node],
    because: 'the rest of operator puts the parts together, without the test kit',
  },
  {
    from: /^(cli|examples)\//,
    may: [/./],
    never: [/^operator\/main\.ts$/, /^test\//],
    because: 'main is an entry point, and tests are not part of the product',
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

/** What single controllers and engines import beside the rest. A new one needs no row. */
export const additions: readonly Addition[] = [
  {
    folder: 'operator/controllers/certificates/',
    may: [reading, /^node:crypto$/],
    because: 'Certificates are judged by their content',
  },
  {
    folder: 'operator/controllers/kafka/',
    may: [/^operator\/certificates\/reading\.ts$/],
    because: 'a KafkaCluster reports when its certificates expire',
  },
  {
    folder: 'operator/controllers/publication/',
    may: [/^node:(crypto|url)$/],
    because: 'names are converted by IDNA, and servers and keys have hashes of their addresses as names',
  },
  {
    folder: 'operator/engines/metrics/',
    may: [/^operator\/controllers\/algorithm\/judgement\/index\.ts$/],
    because: 'samples of requests are counted in the form in which versions are judged',
  },
  {
    folder: 'operator/engines/training/',
    may: [/^(src\/manifest\/quantity|crds\/training\/log-pattern)\.ts$/],
    because: 'room on nodes is a sum of quantities, and the schema checks patterns as the engine reads them',
  },
];

/**
 * The rules for each controller and each engine, by the folder that has them all. The files of one may also import each
 * other.
 */
export const folderRules: Readonly<Record<string, Omit<ImportRule, 'from'>>> = {
  'operator/controllers': {
    may: [
      /^operator\/(consumers|disruption|dns|images|kafka|options|passwords|pods|retry|schedule)\//,
      /^operator\/members\/index\.ts$/,
      /^operator\/runtime\/index\.ts$/,
      /^(src|imports|crds)\//,
      cdk8s,
      /^cdk8s-plus-/,
    ],
    because:
      'a controller knows the runtime, the constructs, schedules, consumers, disruption, members, records of DNS, users of Kafka, passwords, Pods, their images, options, retries, shared ports and itself: no cluster, no process, no other controller',
  },
  'operator/engines': {
    may: [
      /^operator\/controllers\/[^/]+\/ports\/[^/]+\.ts$/,
      /^operator\/(certificates|consumers|disruption|dns|egress|passwords)\//,
      /^operator\/(kafka\/(access|users)|members\/hooks\/port|pods\/gone-nodes)\.ts$/,
      /^operator\/runtime\/(kubernetes\/(errors|json|kinds|object|timestamp)|controller\/reads|external\/secret-access)\.ts$/,
      /^operator\/runtime\/(concurrency\/(abort-signals|semaphore)|ports\/(all-pages|clock|cluster|external-(call|port)|pod-logs))\.ts$/,
      node,
    ],
    because:
      'an engine implements ports and knows shared values and itself: no src, no cluster, no logic of a controller, no other engine. For its library, add a row to libraryRules',
  },
};
