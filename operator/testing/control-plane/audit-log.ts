import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';

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
  /** The entries after `#from`, each with the position of its line. A line is parsed once, however often tests poll. */
  readonly #entries: { readonly position: number; readonly request: AuditedRequest }[] = [];
  #from = Number.POSITIVE_INFINITY;
  #to = 0;
  /** Settles after the latest read, so that no two reads add the same lines. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(readonly path: string) {}

  /**
   * The requests, in the order of their first log entry.
   *
   * @param since an earlier {@link length} of this log. @default 0
   */
  async requests(since = 0): Promise<readonly AuditedRequest[]> {
    const requests = this.#reading.then(async () => {
      await this.#read(since);
      // A watch is logged at its start and at its end.
      const later = this.#entries.slice(this.#entries.findLastIndex(({ position }) => position < since) + 1);
      return [...new Map(later.map(({ request }) => [request.auditID, request])).values()];
    });
    this.#reading = requests.catch(() => undefined);
    return requests;
  }

  /** Length of the log in bytes, up to its last complete line. `requests(length)` returns the later requests. */
  async length(): Promise<number> {
    for (let size = 2 ** 16; ; size *= 2) {
      const { start, bytes } = await tail(this.path, (length) => length - size);
      const end = bytes.lastIndexOf('\n') + 1;
      if (end > 0 || start === 0) return start + end;
    }
  }

  /** Adds the lines that were written since the last read. */
  async #read(since: number): Promise<void> {
    if (since < this.#from) {
      this.#entries.length = 0;
      this.#from = since;
      this.#to = since;
    }
    const { bytes } = await tail(this.path, () => this.#to);
    for (let start = 0; ; ) {
      const end = bytes.indexOf('\n', start);
      if (end < 0) break; // an incomplete line
      const request = auditedRequest(JSON.parse(bytes.toString('utf8', start, end)));
      this.#entries.push({ position: this.#to, request });
      this.#to += end + 1 - start;
      start = end + 1;
    }
  }
}

/** The bytes of a file from a position on, which is chosen by its length; none of a file that does not exist yet. */
async function tail(path: string, from: (length: number) => number): Promise<{ start: number; bytes: Buffer }> {
  if (!existsSync(path)) return { start: 0, bytes: Buffer.alloc(0) };
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const start = Math.max(0, from(size));
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, size - start)), { position: start });
    return { start, bytes: buffer.subarray(0, bytesRead) };
  } finally {
    await file.close();
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
