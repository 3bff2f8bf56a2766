import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The fields of an audit event that tests use. */
export interface AuditedRequest {
  readonly auditID: string;
  /** Verb of the Kubernetes API (`get`, `list`, `watch`, `create`, `update`, `patch`, `delete` …). */
  readonly verb: string;
  readonly user: string;
  /** ID of the user's token, for example `JTI=…` for a service account; empty if the API server records none. */
  readonly credential: string;
  /** Path and query. */
  readonly uri: string;
  readonly userAgent: string;
  /** Group of the resource; empty for the core group and for paths that are not resources. */
  readonly group: string;
  /** Plural of the resource; empty for a path such as `/readyz`. */
  readonly resource: string;
  readonly subresource: string;
  /** Empty for cluster-scoped requests. */
  readonly namespace: string;
  /** Empty for a collection. */
  readonly name: string;
  /** HTTP status of the response. */
  readonly code: number;
  /** True if the user lacked RBAC permissions. Other refusals, such as by admission, have status 403 too. */
  readonly denied: boolean;
  /** Arrival of the request, ISO 8601 with microseconds. */
  readonly receivedAt: string;
  /** False for a watch that is still open. */
  readonly complete: boolean;
}

/**
 * Reads the audit log of an API server, which has one JSON object per line.
 *
 * A request is in the log before its caller sees the end of the response. Running requests are not in the log, except
 * watches, which are logged at their start.
 */
export class AuditLog {
  constructor(readonly path: string) {}

  /**
   * The requests, in the order of their first log entry.
   *
   * @param since an earlier {@link length} of this log. @default 0
   */
  async requests(since = 0): Promise<readonly AuditedRequest[]> {
    const lines = (await this.#text(since)).split('\n').slice(0, -1); // the text after the last newline is an incomplete line
    const byId = new Map<string, AuditedRequest>();
    // A watch is logged at its start and at its end.
    for (const line of lines) {
      const request = auditedRequest(JSON.parse(line));
      byId.set(request.auditID, request);
    }
    return [...byId.values()];
  }

  /** Length of the log in bytes, up to its last complete line. `requests(length)` returns the later requests. */
  async length(): Promise<number> {
    const text = await this.#text(0);
    return Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1));
  }

  async #text(start: number): Promise<string> {
    if (!existsSync(this.path)) return ''; // no request yet
    return (await readFile(this.path)).subarray(start).toString('utf8');
  }
}

/** The used fields of an event of `audit.k8s.io/v1`. */
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
