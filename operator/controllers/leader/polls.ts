import type { LeaderElectionResource } from '../../../imports/index.js';
import { conditionOf, type PollBuilder, type PollRequest } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import type { owns, reads } from './declarations.js';
import { hookEndpoint } from './hook-endpoint.js';
import { type HooksQuestion, leaderHooks } from './ports/hooks.js';
import { type LaunchersQuestion, leaderLaunchers } from './ports/launchers.js';
import { type LeaseQuestion, leaderLeases } from './ports/leases.js';
import { leaderRedis, type RedisQuestion } from './ports/redis.js';
import { leaderRoles, type RolesQuestion } from './ports/roles.js';
import type { StableView } from './view.js';

/** The external sources that a LeaderElection polls. */
export const polls = (ask: PollBuilder<LeaderElectionResource, (typeof owns)[number], ReturnType<typeof reads>>) => ({
  lease: ask(leaderLeases, leaseAsked),
  roles: ask(leaderRoles, rolesAsked),
  launchers: ask(leaderLaunchers, launchersAsked),
  hooks: ask(leaderHooks, hooksAsked),
  redis: ask(leaderRedis, redisAsked),
});

/** Milliseconds: while a leader is elected, and while it serves. */
const [soon, seldom] = [1_000, 3_000];
/** Milliseconds: a Lease announces its changes, and others seldom edit annotations. */
const announced = 10_000;

function isDeleted({ resource }: StableView): boolean {
  return resource.metadata.deletionTimestamp !== undefined;
}

/** Without a leader that reports, and while others are missing, an election may be near. */
function intervalOf({ resource }: StableView): number {
  const isLed = conditionOf<typeof conditions>(resource, 'Elected')?.reason === 'Leading';
  const joined = conditionOf<typeof conditions>(resource, 'Joined')?.status;
  return isLed && (joined === 'True' || !resource.spec.application.redis) ? seldom : soon;
}

function leaseAsked(view: StableView): PollRequest<LeaseQuestion> | undefined {
  const { name, namespace = '' } = view.resource.metadata;
  return isDeleted(view) ? undefined : { question: { namespace, name }, interval: announced };
}

/** The Pods, and the last leader, which the selector may not match any more. */
function rolesAsked({ resource, reads: { pods } }: StableView): PollRequest<RolesQuestion> {
  const { namespace = '' } = resource.metadata;
  const { leaderUid, leader } = resource.status ?? {};
  const all = pods.map(({ name, uid }) => ({ name, uid }));
  const isKnown = leaderUid === undefined || leader === undefined || all.some(({ uid }) => uid === leaderUid);
  const asked = isKnown ? all : [...all, { name: leader, uid: leaderUid }];
  return { question: { namespace, pods: asked }, interval: announced };
}

function launchersAsked(view: StableView): PollRequest<LaunchersQuestion> | undefined {
  const { resource, reads: found } = view;
  if (!resource.spec.application.redis || isDeleted(view)) return undefined;
  const launchers = addressed(found.pods);
  if (launchers.length === 0) return undefined;
  const { name: lease, namespace = '' } = resource.metadata;
  return { question: { namespace, lease, launchers }, interval: intervalOf(view), timeout: 5_000 };
}

function hooksAsked(view: StableView): PollRequest<HooksQuestion> | undefined {
  const { hooks } = view.resource.spec.application;
  const pods = addressed(view.reads.pods);
  if (!hooks || isDeleted(view) || pods.length === 0) return undefined;
  const endpoint = hookEndpoint(hooks.status);
  return { question: { ...endpoint, pods }, interval: intervalOf(view), timeout: endpoint.timeout + 2_000 };
}

function addressed(pods: StableView['reads']['pods']) {
  return pods.flatMap(({ name, uid, address }) => (address === undefined ? [] : [{ name, uid, address }]));
}

/** Asked once a leader is known: the connection is one of a client. */
function redisAsked(view: StableView): PollRequest<RedisQuestion> | undefined {
  const { resource, reads: found } = view;
  const { redis } = resource.spec.application;
  const { leaderUid } = resource.status ?? {};
  const address = found.pods.find(({ uid }) => uid === leaderUid)?.address;
  if (!redis || isDeleted(view) || address === undefined) return undefined;
  const { authSecretRef, tls, port } = redis;
  const { namespace = '' } = resource.metadata;
  const serverName = tls?.serverName ?? `${resource.spec.service}.${namespace}.svc`;
  const authority = found.authority ? { authority: found.authority } : {};
  const question = {
    ...{ address, port, hasPassword: authSecretRef !== undefined },
    ...(tls && { tls: { serverName, ...authority } }),
  };
  return { question, interval: 5_000, ...(authSecretRef && { secret: authSecretRef.name }) };
}
