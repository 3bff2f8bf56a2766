import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Config, defaults } from '../../../operator/config/config.js';
import { configFrom, describeOptions } from '../../../operator/process/flags.js';

describe('the configuration', () => {
  it.each([
    { is: {}, when: 'nothing is said', argv: [], env: {} },
    { is: { maxConcurrentReconciles: 3 }, when: 'a flag says so', argv: ['--max-concurrent-reconciles', '3'], env: {} },
    {
      is: { maxConcurrentReconciles: 3 },
      when: 'a flag says so with =',
      argv: ['--max-concurrent-reconciles=3'],
      env: {},
    },
    {
      is: { maxConcurrentReconciles: 4 },
      when: 'the environment says so',
      argv: [],
      env: { RECONSTRUCT_MAX_CONCURRENT_RECONCILES: '4' },
    },
    {
      is: { maxConcurrentReconciles: 3 },
      when: 'both do',
      argv: ['--max-concurrent-reconciles=3'],
      env: { RECONSTRUCT_MAX_CONCURRENT_RECONCILES: '4' },
    },
    { is: {}, when: 'a variable is empty', argv: [], env: { RECONSTRUCT_MAX_CONCURRENT_RECONCILES: '' } },
    { is: { leaderElect: true }, when: 'a flag is set', argv: ['--leader-elect'], env: {} },
    {
      is: { leaderElect: false },
      when: 'a flag is taken back',
      argv: ['--no-leader-elect'],
      env: { RECONSTRUCT_LEADER_ELECT: 'true' },
    },
    { is: { namespaces: ['a', 'b'] }, when: 'namespaces are listed', argv: ['--namespaces', 'a, b'], env: {} },
    {
      is: { allowedAddresses: ['*.example.org', '10.0.0.0/8'] },
      when: 'addresses are listed',
      argv: ['--allowed-addresses=*.example.org, 10.0.0.0/8'],
      env: {},
    },
    {
      is: { controllers: ['algorithm', 'trial'] },
      when: 'controllers are listed',
      argv: ['--controllers', 'algorithm, trial'],
      env: {},
    },
    {
      is: { resyncPeriod: 300_000, gracefulShutdownTimeout: 500, reconcileTimeout: 3_600_000 },
      when: 'durations have units',
      argv: ['--resync-period=5m', '--graceful-shutdown-timeout=500ms', '--reconcile-timeout=1h'],
      env: {},
    },
    { is: { metricsPort: 0 }, when: 'a port is off', argv: ['--metrics-port=0'], env: {} },
    { is: { logLevel: 'debug' }, when: 'a level is one of the list', argv: ['--log-level', 'debug'], env: {} },
    {
      is: { proxyLimits: 'cpu=500m,memory=1Gi' },
      when: 'resources are as kubectl takes them',
      argv: ['--proxy-limits', 'cpu=500m,memory=1Gi'],
      env: {},
    },
    {
      is: { postgresRepository: 'localhost:5000/postgres' },
      when: 'a repository has a port',
      argv: [],
      env: { RECONSTRUCT_POSTGRES_REPOSITORY: 'localhost:5000/postgres' },
    },
    {
      is: { imageRegistry: 'registry.example.com:5000/mirror/reconstruct' },
      when: 'a registry has a port and a path',
      argv: ['--image-registry=registry.example.com:5000/mirror/reconstruct'],
      env: {},
    },
    {
      is: { imageRegistry: 'mirror' },
      when: 'a registry is one name',
      argv: [],
      env: { RECONSTRUCT_IMAGE_REGISTRY: 'mirror' },
    },
    {
      is: { imagePullSecrets: ['mirror', 'team.example'] },
      when: 'pull secrets are listed',
      argv: ['--image-pull-secrets=mirror, team.example'],
      env: {},
    },
  ] as { is: Partial<Config>; when: string; argv: string[]; env: Record<string, string> }[])(
    'R35 is $is when $when',
    ({ is, argv, env }) => {
      expect(configFrom(argv, env)).toEqual({ ...defaults, ...is });
    },
  );

  it.each([
    {
      fault: '--max-concurrent-reconciles must be an integer from 1 to 1000, got "0"',
      argv: ['--max-concurrent-reconciles=0'],
    },
    {
      fault: '--max-concurrent-reconciles must be an integer from 1 to 1000, got "1e2"',
      argv: ['--max-concurrent-reconciles=1e2'],
    },
    { fault: '--metrics-port must be an integer from 0 to 65535, got "65536"', argv: ['--metrics-port=65536'] },
    {
      fault: '--resync-period must be a positive duration such as 500ms, 30s or 5m, got "30"',
      argv: ['--resync-period=30'],
    },
    {
      fault: '--resync-period must be a positive duration such as 500ms, 30s or 5m, got "0s"',
      argv: ['--resync-period=0s'],
    },
    { fault: '--namespaces must be namespaces separated by commas, got "a,,b"', argv: ['--namespaces=a,,b'] },
    { fault: '--namespaces must be namespaces separated by commas, got "Team"', argv: ['--namespaces=Team'] },
    {
      fault:
        '--allowed-addresses must be a host name, *.DOMAIN, an IP address or a network such as 10.0.0.0/8, got "a.org,https://b.org"',
      argv: ['--allowed-addresses=a.org,https://b.org'],
    },
    {
      fault: '--allowed-addresses must be an address that resources may name; 127.0.0.1 is loopback, got "127.0.0.1"',
      argv: ['--allowed-addresses=127.0.0.1'],
    },
    { fault: '--controllers must be names separated by commas, got "a,,b"', argv: ['--controllers=a,,b'] },
    { fault: '--log-level must be one of debug, info, warn, error, silent, got "loud"', argv: ['--log-level=loud'] },
    {
      fault: '--prometheus-url must be an http or https URL without a user, got "prometheus:9090"',
      argv: ['--prometheus-url=prometheus:9090'],
    },
    {
      fault: '--prometheus-url must be an http or https URL without a user, got "https://…@prometheus"',
      argv: ['--prometheus-url=https://me:secret@prometheus'],
    },
    {
      fault:
        '--prometheus-token-file requires a --prometheus-url with https: without TLS the token would be readable by others',
      argv: ['--prometheus-url=http://prometheus:9090', '--prometheus-token-file=/token'],
    },
    {
      fault: '--postgres-repository must be an image without a tag, got "example.com/postgres:15"',
      argv: ['--postgres-repository=example.com/postgres:15'],
    },
    ...[
      'https://x/',
      'registry.example.com/',
      '/mirror',
      'registry.example.com/mirror:1.0.0',
      'registry.example.com:port/mirror',
      'registry.example.com/Mirror',
      'registry.example.com/mirror@sha256:0123',
    ].map((text) => ({
      fault: `--image-registry must be a registry with an optional path, such as registry.example.com/mirror, without a scheme, a tag or a slash at its end, got "${text}"`,
      argv: [`--image-registry=${text}`],
    })),
    ...['a,,b', 'Mirror', 'a_b', '-a', `${'a'.repeat(254)}`].map((text) => ({
      fault: `--image-pull-secrets must be names of Secrets separated by commas, such as registry,mirror, got "${text}"`,
      argv: [`--image-pull-secrets=${text}`],
    })),
    ...['cpu', 'cpu=1 core', 'gpu=1', 'cpu=1,cpu=2', 'memory=-1'].map((text) => ({
      fault: `--proxy-requests must be amounts of cpu and memory, such as cpu=200m,memory=512Mi, got "${text}"`,
      argv: [`--proxy-requests=${text}`],
    })),
    {
      fault: '--max-concurrent is not an option: did you mean --max-concurrent-reconciles?',
      argv: ['--max-concurrent=3'],
    },
    { fault: '--namespace is not an option: did you mean --namespaces?', argv: ['--namespace', 'team'] },
    { fault: '--metrics is not an option: see --help', argv: ['--metrics'] },
    { fault: '--colour is not an option: see --help', argv: ['--colour=red'] },
    { fault: '"extra" is not an option', argv: ['extra'] },
    {
      fault: 'RECONSTRUCT_LEADER_ELECT must be true or false, got "yes"',
      argv: [],
      env: { RECONSTRUCT_LEADER_ELECT: 'yes' },
    },
    { fault: '--max-concurrent-reconciles needs a value', argv: ['--max-concurrent-reconciles'] },
  ] as { fault: string; argv: string[]; env?: Record<string, string> }[])(
    'R35 is refused with: $fault',
    ({ fault, argv, env = {} }) => {
      expect(() => configFrom(argv, env)).toThrow(`invalid configuration:\n  ${fault}`);
    },
  );

  it('R35 repeats nothing that stands behind an unknown option, for it may be a secret', () => {
    const wrong = () => configFrom(['--prometheus-token', 's3cr3t', 'extra'], {});
    expect(wrong).toThrow(
      /:\n {2}--prometheus-token is not an option: did you mean --prometheus-token-file\?\n {2}"extra" is not an option$/,
    );
  });

  it('R35 lists all faults at once', () => {
    const wrong = () => configFrom(['--max-concurrent-reconciles=x', '--typo'], { RECONSTRUCT_RESYNC_PERIOD: 'x' });
    expect(wrong).toThrow(/--typo.*\n.*--max-concurrent-reconciles.*\n.*RECONSTRUCT_RESYNC_PERIOD/);
  });

  it.each([
    {
      fault: 'the lease duration must be longer than its renew deadline, got 10000 ms and 10000 ms',
      argv: ['--lease-duration=10s'],
    },
    { fault: '--metrics-auth requires --metrics-cert-path', argv: ['--metrics-auth'] },
    { fault: '--metrics-port and --health-port must differ, got 8081 for both', argv: ['--metrics-port=8081'] },
    { fault: '--acme-port must differ from --metrics-port and --health-port, got 8080', argv: ['--acme-port=8080'] },
    { fault: '--pod-ip must be an IP address, got "web"', argv: ['--pod-ip=web'] },
  ])('R35 is refused when options contradict each other: $fault', ({ fault, argv }) => {
    expect(() => configFrom(argv, {})).toThrow(`invalid configuration:\n  ${fault}`);
  });

  it('R35 lists all contradictions at once, and none where both ports are off', () => {
    const wrong = () => configFrom(['--lease-duration=10s', '--metrics-auth', '--health-port=8080'], {});
    expect(wrong).toThrow(/duration must be longer.*\n.*must differ.*\n.*--metrics-auth/);
    expect(configFrom(['--metrics-port=0', '--health-port=0'], {})).toMatchObject({ metricsPort: 0, healthPort: 0 });
  });

  it('R35 describes each option, with its default as one would write it', () => {
    const described = describeOptions();
    expect(described.map(({ flag }) => flag)).toHaveLength(Object.keys(defaults).length);
    expect(described).toContainEqual({
      ...{ flag: '--reconcile-timeout', variable: 'RECONSTRUCT_RECONCILE_TIMEOUT', default: '2m' },
      meaning: 'Duration after which a reconcile is cancelled and retried',
    });
    const written = described.flatMap(({ flag, default: text }) => (text === '' ? [] : [`${flag}=${text}`]));
    expect(configFrom(written, {})).toEqual(defaults);
  });

  it('R35 has a line of docs/operator/options.md for each option', () => {
    const page = readFileSync('docs/operator/options.md', 'utf8');
    const rows = describeOptions().map(
      ({ flag, default: text, meaning }) => `| \`${flag}\` | ${text && `\`${text}\` `}| ${meaning} |`,
    );
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
    expect(page.match(/^\| `--[-a-z]+` \|/gm)).toHaveLength(rows.length);
  });
});
