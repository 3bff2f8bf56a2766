import type { EtcdClusterSpec } from '../../../imports/index.js';
import { wholeQuantity } from '../../manifest/quantity.js';
import { etcdClientUrl, etcdPeerUrl, etcdPorts, etcdPrincipals } from '../naming/object-names.js';
import type { MemberPod } from './member-settings.js';

/** The folders of a member. The data is in a folder below the volume, whose root may have `lost+found`. */
export const etcdFolders = {
  volume: '/var/lib/etcd',
  data: '/var/lib/etcd/data',
  tls: '/etc/reconstruct/tls',
} as const;

/** The files of the certificate of the members. etcd reads `crt` and `key` for each connection, and `ca` at its start. */
export const etcdFiles = {
  crt: `${etcdFolders.tls}/tls.crt`,
  key: `${etcdFolders.tls}/tls.key`,
  ca: `${etcdFolders.tls}/ca.crt`,
} as const;

/** The arguments of etcd 3.4. */
export function etcdArguments(settings: MemberPod): readonly string[] {
  const { name, member, spec } = settings;
  const { crt, key, ca } = etcdFiles;
  return flags({
    name: member,
    'data-dir': etcdFolders.data,
    // Addresses of both families, because Go listens on both for this one.
    'listen-client-urls': `https://0.0.0.0:${etcdPorts.client}`,
    'listen-peer-urls': `https://0.0.0.0:${etcdPorts.peer}`,
    'listen-metrics-urls': `http://0.0.0.0:${etcdPorts.metrics}`,
    'advertise-client-urls': etcdClientUrl(member, settings),
    ...firstStart(settings),
    ...{ 'cert-file': crt, 'key-file': key, 'trusted-ca-file': ca, 'client-cert-auth': 'true' },
    ...{ 'peer-cert-file': crt, 'peer-key-file': key, 'peer-trusted-ca-file': ca, 'peer-client-cert-auth': 'true' },
    // Clients have certificates of the same CA.
    'peer-cert-allowed-cn': etcdPrincipals(name).member,
    // The certificate has a wildcard, for which etcd would need names of addresses, which not every DNS server has.
    'experimental-peer-skip-client-san-verification': 'true',
    'auto-compaction-mode': 'periodic',
    'auto-compaction-retention': '1h',
    'quota-backend-bytes': String(quotaOf(spec)),
    // A member that was cut off from the others does not force an election when it is back.
    'pre-vote': 'true',
    logger: 'zap',
  });
}

/**
 * Without a list of all members, a member with an empty volume does not find the cluster and ends. With the list, it would
 * start as the member that it was, although its log is lost: it then ends again and again (`tocommit is out of range`) until
 * another leader starts it with an empty log, and it may vote against what it confirmed.
 */
function firstStart(settings: MemberPod): Readonly<Record<string, string>> {
  const { member, token, firstStart: { state, members } = { state: 'existing', members: [member] } } = settings;
  const urls = members.toSorted().map((one) => `${one}=${etcdPeerUrl(one, settings)}`);
  return {
    'initial-advertise-peer-urls': etcdPeerUrl(member, settings),
    'initial-cluster': urls.join(','),
    'initial-cluster-state': state,
    'initial-cluster-token': token,
  };
}

const mebibyte = 2n ** 20n;
/** Seven segments of the log: five that etcd keeps, the one that it writes, and the next one. */
const logSize = 7n * 64n * mebibyte;
/** More than this is not recommended for etcd. */
const mostQuota = 8n * 1024n * mebibyte;

/** Bytes of the data. A snapshot from the leader and a defragmentation write a second copy. */
function quotaOf({ storage: { size } }: EtcdClusterSpec): bigint {
  const half = (wholeQuantity(size) - logSize) / 2n;
  return half < mostQuota ? half : mostQuota;
}

function flags(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values).map(([flag, value]) => `--${flag}=${value}`);
}
