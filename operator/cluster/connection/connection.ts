/** The address of an API server, and the credentials for it. */
export interface Connection {
  /** Scheme, host and port. */
  readonly origin: string;
  /** A path in front of every request path. Usually empty. */
  readonly basePath: string;
  /** The default namespace of the configuration. */
  readonly namespace: string;
  /** The URL of an HTTP proxy. */
  readonly proxy?: string | undefined;
  /**
   * Read again when they expire. Returns the same value while nothing has changed, and no promise while they are fresh,
   * because each request asks.
   */
  credentials(): Credentials | Promise<Credentials>;
}

export interface Credentials {
  /** The Authorization header. */
  readonly authorization?: string | undefined;
  /** The user to impersonate: the Impersonate-User header. */
  readonly as?: string | undefined;
  readonly tls: Tls;
}

/** Certificates and keys in PEM format. */
export interface Tls {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The name that the server's certificate must have. @default - the host of the origin */
  readonly servername?: string | undefined;
  /** False to accept any server certificate. @default true */
  readonly rejectUnauthorized?: boolean | undefined;
}
