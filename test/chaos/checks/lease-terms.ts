import { readFile } from 'node:fs/promises';

/** A write of an operator in the audit log of the API server. */
export interface AuditedWrite {
  /** Milliseconds since 1970, when it reached the server. */
  readonly at: number;
  /** Which process sent it. */
  readonly process: string;
  /** What it wrote, for people. */
  readonly what: string;
  readonly code: number;
  /** For a lease: the holder after this write. Empty if none. */
  readonly holder?: string | undefined;
  /** True where the right was lacking. */
  readonly denied: boolean;
}

/** Milliseconds for which a lease holds that is not renewed. */
export const leaseDuration = 15_000;

/**
 * The writes that reached the server outside a term of their process, in a line each: after the lease was another's, or
 * given back, or not renewed in time.
 *
 * A process counts its term from before it asked for the renewal, so what it may write arrives before this ends.
 */
export function writesOutsideTerms(writes: readonly AuditedWrite[]): readonly string[] {
  const outside: string[] = [];
  let term = { process: '', until: 0 };
  for (const { at, process, what, code, holder } of writes.toSorted((a, b) => a.at - b.at)) {
    if (holder !== undefined) {
      if (code < 300) term = holder === '' ? { process: '', until: 0 } : { process, until: at + leaseDuration };
      continue;
    }
    const when = new Date(at).toISOString();
    if (term.process !== process) outside.push(`${when} ${process} ${what}: the lease is ${term.process || 'free'}`);
    else if (at > term.until) outside.push(`${when} ${process} ${what}: ${at - term.until} ms after its term`);
  }
  return outside;
}

/** An audit policy that notes the writes of one user, and of leases who holds them, and nothing else. */
export function auditPolicyOf(user: string): object {
  const written = ['create', 'update', 'patch', 'delete', 'deletecollection'];
  return {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [
      { level: 'Request', users: [user], resources: [{ group: 'coordination.k8s.io' }] },
      { level: 'Metadata', users: [user], verbs: written },
      { level: 'Metadata', users: [user], verbs: ['get', 'list', 'watch'] },
      { level: 'None' },
    ],
  };
}

/** An event of the API group `audit.k8s.io`, as far as it is read here. */
interface AuditEvent {
  readonly verb: string;
  readonly stage: string;
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string; readonly namespace?: string };
  readonly requestObject?: { readonly spec?: { readonly holderIdentity?: string } };
  readonly responseStatus?: { readonly code?: number };
  readonly annotations?: Readonly<Record<string, string>>;
  readonly requestReceivedTimestamp: string;
}

/** The requests of an audit log, reads too: those have no `holder` and are no writes, see {@link isWrite}. */
export async function auditedRequests(path: string): Promise<readonly (AuditedWrite & { readonly verb: string })[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
  return lines.map((line) => audited(JSON.parse(line) as AuditEvent));
}

export function isWrite({ verb }: { readonly verb: string }): boolean {
  return !['get', 'list', 'watch'].includes(verb);
}

function audited(event: AuditEvent): AuditedWrite & { readonly verb: string } {
  const isLease = event.objectRef?.resource === 'leases' && isWrite(event);
  return {
    verb: event.verb,
    at: Date.parse(event.requestReceivedTimestamp),
    process: event.userAgent ?? '',
    what: `${event.verb} ${event.requestURI.split('?')[0]}`,
    code: event.responseStatus?.code ?? 0,
    holder: isLease ? (event.requestObject?.spec?.holderIdentity ?? '') : undefined,
    denied: event.annotations?.['authorization.k8s.io/decision'] === 'forbid',
  };
}
