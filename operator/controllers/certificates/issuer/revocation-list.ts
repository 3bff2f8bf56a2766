import { createHash } from 'node:crypto';
import { isAhead } from '../../../certificates/times.js';
import { ConfigMap, type LiveConfigMap, type Owned, timestampOf } from '../../../runtime/index.js';
import type { AnyIssuer } from '../issuer-reference/issuer-part.js';
import type { RevocationAnswer, RevocationQuestion } from '../ports/revocation.js';

const week = 7 * 86_400_000;
/** Milliseconds: the rest of its validity at which a list is signed anew. */
const reserve = Math.floor(week / 3);

const numberAnnotation = 'reconstruct.dev/crl-number';
const contentAnnotation = 'reconstruct.dev/crl-content';

/** The key of the list in its ConfigMap. */
export const listKey = 'ca.crl';

/** What decides about the revocation list of an issuer. */
export interface ListInput {
  readonly resource: AnyIssuer;
  readonly owned: Pick<Owned<typeof ConfigMap>, 'of'>;
  /** The CA certificate that signs. Undefined if none can. */
  readonly authority: string | undefined;
}

/** A list as its ConfigMap has it. */
export interface PublishedList {
  readonly text: string;
  readonly annotations: Readonly<Record<string, string>>;
}

type ListStatus = NonNullable<NonNullable<AnyIssuer['status']>['crl']>;

/** The ConfigMap with the list. */
function publishedIn({ resource, owned }: ListInput): LiveConfigMap | undefined {
  return owned.of(ConfigMap).find(({ metadata }) => metadata.name === resource.spec.crl?.configMap);
}

/** The question for the list that the status records. Undefined if the ConfigMap has it. */
export function listQuestion(view: ListInput): RevocationQuestion | undefined {
  const { crl } = view.resource.status ?? {};
  const { spec } = view.resource;
  if (!spec.crl || view.authority === undefined || crl?.number === undefined || crl.thisUpdate === undefined)
    return undefined;
  const { metadata } = publishedIn(view) ?? {};
  if (metadata?.annotations?.[numberAnnotation] === String(crl.number)) return undefined;
  const from = Date.parse(crl.thisUpdate);
  return { revoked: revokedIn(spec.crl), number: crl.number, authority: view.authority, from, to: from + week };
}

/** What the ConfigMap must have. Undefined until the first list is signed. */
export function listFor(view: ListInput, answer: RevocationAnswer | undefined): PublishedList | undefined {
  const question = listQuestion(view);
  if (question && answer) {
    const { list: text } = answer;
    const content = contentOf(question.authority, question.revoked, text);
    return { text, annotations: { [numberAnnotation]: String(question.number), [contentAnnotation]: content } };
  }
  const live = publishedIn(view);
  const text = live?.data?.[listKey];
  if (!live || text === undefined) return undefined;
  const { annotations = {} } = live.metadata;
  const kept = [numberAnnotation, contentAnnotation].map((name) => [name, annotations[name] ?? ''] as const);
  return { text, annotations: Object.fromEntries(kept) };
}

/**
 * The record of the list that must exist: the present one, or the next one if the present one is due, incomplete or
 * edited. The status has it before anything is signed.
 */
export function listStatus(view: ListInput, now: number): ListStatus | undefined {
  const { spec, status } = view.resource;
  if (!spec.crl) return undefined;
  if (view.authority === undefined) return status?.crl;
  const { number = 0, thisUpdate } = status?.crl ?? {};
  const known = { number, thisUpdate: thisUpdate ?? timestampOf(now) };
  const nextUpdate = Date.parse(known.thisUpdate) + week;
  const isPending = listQuestion(view) !== undefined;
  const isOutOfDate = now >= nextUpdate - reserve || isAhead(Date.parse(known.thisUpdate), now);
  const isDue = number === 0 || isOutOfDate || (!isPending && !isComplete(view));
  if (!isDue) return { ...known, nextUpdate: timestampOf(nextUpdate) };
  // The time, so that the number grows even if the status is lost.
  const next = Math.max(number + 1, Math.floor(now / 1000));
  return { number: next, thisUpdate: timestampOf(now), nextUpdate: timestampOf(now + week) };
}

/** When the list is signed anew, in milliseconds since 1970. */
export function listRenewalTime(nextUpdate: string): number {
  return Date.parse(nextUpdate) - reserve;
}

function isComplete(view: ListInput): boolean {
  const live = publishedIn(view);
  const { crl } = view.resource.spec;
  if (!crl || view.authority === undefined) return false;
  const content = contentOf(view.authority, revokedIn(crl), live?.data?.[listKey] ?? '');
  return live?.metadata.annotations?.[contentAnnotation] === content;
}

function revokedIn({ revoked }: { readonly revoked: readonly string[] }): readonly string[] {
  return [...new Set(revoked)].toSorted();
}

function contentOf(authority: string, revoked: readonly string[], text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([authority, revoked, text]))
    .digest('hex');
}
