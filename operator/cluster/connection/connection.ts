/** Where an API server is, and how one may speak to it. */
export interface Connection {
  /** Scheme, host and port. */
  readonly origin: string;
  /** A path that every request begins with; empty for most. */
  readonly basePath: string;
  /** The namespace that the configuration prefers. */
  readonly namespace: string;
  /** An HTTP proxy in between. */
  readonly proxy?: string | undefined;
  /** Read anew when old; the same value while nothing changed, and no promise while they are fresh: each request asks. */
  credentials(): Credentials | Promise<Credentials>;
}

export interface Credentials {
  /** The Authorization header. */
  readonly authorization?: string | undefined;
  /** Whom to act as: the Impersonate-User header. */
  readonly as?: string | undefined;
  readonly tls: Tls;
}

/** PEM texts. */
export interface Tls {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The name that the server's certificate must have. @default - the origin's */
  readonly servername?: string | undefined;
  /** False to believe any server. @default true */
  readonly rejectUnauthorized?: boolean | undefined;
}
