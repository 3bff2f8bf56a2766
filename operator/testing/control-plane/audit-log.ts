import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** What an API server writes about one request, as far as tests ask for it. */
export interface AuditedRequest {
  readonly auditID: string;
  /** Verb of the Kubernetes API (`get`, `list`, `watch`, `create`, `update`, `patch`, `delete` …). */
  readonly verb: string;
  readonly user: string;
  /** Tells one token of a user from another, as `JTI=…` of a service account's; empty where the API server does not. */
  readonly credential: string;
  /** Path and query. */
  readonly uri: string;
  readonly userAgent: string;
  /** Group of the resource, empty for the core group and for what is not a resource. */
  readonly group: string;
  /** Plural of the resource, empty for a path such as `/readyz`. */
  readonly resource: string;
  readonly subresource: string;
  /** Empty for what has no namespace. */
  readonly namespace: string;
  /** Empty for a collection. */
  readonly name: string;
  /** HTTP status of the response. */
  readonly code: number;
  /** True where the user lacked the right: other refusals, as admission's, have the status 403 too. */
  readonly denied: boolean;
  /** Time at which the request came, ISO 8601 with microseconds. */
  readonly receivedAt: string;
  /** False for a watch that is still open. */
  readonly complete: boolean;
}

/**
 * Reads the audit log of an API server, line by line as JSON.
 *
 * A request is in the log before its caller sees the end of the response. One that is under way is not,
 * except a watch, which is there from its start.
 */
export class AuditLog {
  constructor(readonly path: string) {}

  /**
   * The requests, in the order in which the API server noted them first.
   *
   * @param since a length that this log had, from {@link length}. @default 0
   */
  async requests(since = 0): Promise<readonly AuditedRequest[]> {
    const lines = (await this.#text(since)).split('\n').slice(0, -1); // what follows the last line end is half a line
    const byId = new Map<string, AuditedRequest>();
    // A watch is noted when it starts and when it ends.
    for (const line of lines) {
      const request = auditedRequest(JSON.parse(line));
      byId.set(request.auditID, request);
    }
    return [...byId.values()];
  }

  /** How long the log is now, in bytes up to its last whole line: what comes later is `requests(length)`. */
  async length(): Promise<number> {
    const text = await this.#text(0);
    return Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1));
  }

  async #text(start: number): Promise<string> {
    if (!existsSync(this.path)) return ''; // no request yet
    return (await readFile(this.path)).subarray(start).toString('utf8');
  }
}

/** An event of the API group `audit.k8s.io`, version `v1`, as far as it is read here. */
interface AuditEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly user: { readonly username?: string; readonly extra?: Readonly<Record<string, readonly string[]>> };
  readonly objectRef?: Readonly<
    Partial<Record<'apiGroup' | 'resource' | 'subresource' | 'namespace' | 'name', string>>
  >;
  readonly responseStatus?: { readonly code?: number };
  readonly annotations?: Readonly<Record<string, string>>;
  readonly requestReceivedTimestamp: string;
}

function auditedRequest(event: AuditEvent): AuditedRequest {
  const { apiGroup = '', resource = '', subresource = '', namespace = '', name = '' } = event.objectRef ?? {};
  return {
    auditID: event.auditID,
    verb: event.verb,
    user: event.user.username ?? '',
    credential: event.user.extra?.['authentication.kubernetes.io/credential-id']?.[0] ?? '',
    uri: event.requestURI,
    userAgent: event.userAgent ?? '',
    group: apiGroup,
    resource,
    subresource,
    namespace,
    name,
    code: event.responseStatus?.code ?? 0,
    denied: event.annotations?.['authorization.k8s.io/decision'] === 'forbid',
    receivedAt: event.requestReceivedTimestamp,
    complete: event.stage !== 'ResponseStarted',
  };
}
