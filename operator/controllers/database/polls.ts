import type { DatabaseResource } from '../../../imports/index.js';
import { certificateHosts, databasePorts, hostOfPod, objectNames } from '../../../src/index.js';
import { goneNodes, goneNodesAsked } from '../../members/index.js';
import type { GoneNodesQuestion } from '../../pods/gone-nodes.js';
import {
  type Facts,
  type LiveSecret,
  type Owned,
  PersistentVolumeClaim,
  Pod,
  type PollBuilder,
  type PollRequest,
  Secret,
} from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import type { DatabaseReads, owns, reads } from './declarations.js';
import { quarantinedLabel, serialOf } from './instances/instances.js';
import { type CredentialsQuestion, credentials } from './ports/credentials.js';
import { type MembersQuestion, members } from './ports/members.js';
import { type RestartQuestion, restart } from './ports/restart.js';
import { knownSecrets, missingPasswords } from './secrets.js';

type Reason = keyof (typeof conditions)['UpToDate'];

interface Seen {
  readonly resource: DatabaseResource;
  readonly owned: Pick<Owned<typeof Secret | typeof Pod>, 'of'>;
}

interface Looked extends Pick<Facts<DatabaseResource>, 'isServed'> {
  readonly reads: DatabaseReads;
  readonly owned: Pick<Owned<typeof PersistentVolumeClaim>, 'of'>;
}

/** The external sources that a Database polls. */
export const polls = (ask: PollBuilder<DatabaseResource, (typeof owns)[number], ReturnType<typeof reads>>) => ({
  credentials: ask(credentials, credentialsAsked),
  members: ask(members, membersAsked),
  restart: ask(restart, restartAsked),
  goneNodes: ask(goneNodes, nodesAsked),
});

/** Milliseconds: the delay until a recovered instance is detected, while other steps wait for it. */
const everyFew = 5_000;
/** Milliseconds: the next reconcile stores generated credentials, and certificates expire after months. */
const seldom = 3_600_000;

function credentialsAsked({ resource, owned }: Seen): PollRequest<CredentialsQuestion> | undefined {
  const { name, namespace = '' } = resource.metadata;
  const known = knownSecrets(name, owned.of(Secret));
  if (resource.metadata.deletionTimestamp !== undefined) return undefined;
  const subject = { commonName: name, hosts: certificateHosts(name, namespace) };
  const before = known.certified ? { known: known.certified } : known.signer && { authority: known.signer };
  const certificate = { ...subject, ...before };
  // Signing is slow on a busy machine.
  return { question: { passwords: missingPasswords(known), certificate }, interval: seldom, timeout: 30_000 };
}

function membersAsked({ resource, owned }: Seen): PollRequest<MembersQuestion> | undefined {
  const { name, namespace = '' } = resource.metadata;
  const authority = authorityIn(name, owned.of(Secret));
  const asked = owned.of(Pod).flatMap(({ metadata, status }) => {
    const address = status?.podIP;
    if (address === undefined || metadata.deletionTimestamp || serialOf(metadata.name, name) === undefined) return [];
    return [{ name: metadata.name, address, host: hostOfPod(metadata.name, { name, namespace }) }];
  });
  if (authority === undefined || asked.length === 0) return undefined;
  return { question: { authority, port: databasePorts.patroni, members: asked }, interval: everyFew };
}

/** The status records a restart before it is requested, so that the next leader of the operator knows about it. */
function restartAsked({ resource, owned }: Seen): PollRequest<RestartQuestion> | undefined {
  const { name, namespace = '' } = resource.metadata;
  const { primary, conditions = [] } = resource.status ?? {};
  if (!conditions.some(({ type, reason }) => type === 'UpToDate' && reason === ('Restarting' satisfies Reason)))
    return undefined;
  const pod = owned.of(Pod).find(({ metadata }) => metadata.name === primary && !metadata.deletionTimestamp);
  const { certified } = knownSecrets(name, owned.of(Secret));
  const address = pod?.status?.podIP;
  if (primary === undefined || address === undefined || !certified) return undefined;
  const where = { port: databasePorts.patroni, address, host: hostOfPod(primary, { name, namespace }) };
  const question = { authority: certified.trusted, certified: certified.server, ...where };
  return { question, interval: 30_000, timeout: 60_000 };
}

function nodesAsked({ owned, reads: { nodes }, isServed }: Looked): PollRequest<GoneNodesQuestion> | undefined {
  const claims = owned.of(PersistentVolumeClaim).filter(({ metadata }) => !metadata.labels?.[quarantinedLabel]);
  return goneNodesAsked({ claims, nodes, isServed });
}

function authorityIn(database: string, secrets: readonly LiveSecret[]): string | undefined {
  const own = secrets.find(({ metadata }) => metadata.name === objectNames(database).certificate);
  return knownSecrets(database, own ? [own] : []).certified?.trusted;
}
