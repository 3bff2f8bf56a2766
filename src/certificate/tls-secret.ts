import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';

/** Props of {@link TlsSecret}. */
export interface TlsSecretProps {
  readonly name: string;
  readonly namespace: string;
  /** The certificate with its chain, in PEM format. */
  readonly certificate: string;
  /** In PEM format. */
  readonly key: string;
  /** The CA certificates that clients must trust, in PEM format. Empty for those of public CAs. */
  readonly trusted: string;
  /** Values of further keys. @default - none */
  readonly others?: Readonly<Record<string, string>>;
  /** Values of further keys in base64, such as key stores. @default - none */
  readonly stores?: Readonly<Record<string, string>>;
}

/** A Secret of type `kubernetes.io/tls`: a certificate, its key and the CA certificates, which change in one write. */
export class TlsSecret extends Construct {
  readonly secret: ApiObject;

  constructor(
    scope: Construct,
    id: string,
    { name, namespace, certificate, key, trusted, others = {}, stores = {} }: TlsSecretProps,
  ) {
    super(scope, id);
    const texts = { ...others, 'tls.crt': certificate, 'tls.key': key, ...(trusted !== '' && { 'ca.crt': trusted }) };
    this.secret = secretObject(this, { name, namespace, type: 'kubernetes.io/tls', texts, stores });
  }
}

/** Props of {@link PrivateKeySecret}. */
export interface PrivateKeySecretProps extends Pick<TlsSecretProps, 'name' | 'namespace' | 'key'> {}

/** A Secret with a private key that has no certificate yet. */
export class PrivateKeySecret extends Construct {
  readonly secret: ApiObject;

  constructor(scope: Construct, id: string, { name, namespace, key }: PrivateKeySecretProps) {
    super(scope, id);
    this.secret = secretObject(this, { name, namespace, type: 'Opaque', texts: { 'tls.key': key } });
  }
}

/** Props of {@link UnchangedSecret}. */
export interface UnchangedSecretProps {
  readonly name: string;
  readonly namespace: string;
  readonly type?: string | undefined;
  /** In base64. */
  readonly data?: Readonly<Record<string, string>> | undefined;
}

/** A Secret with the content that it has. If somebody hands it over, nothing is lost. */
export class UnchangedSecret extends Construct {
  readonly secret: ApiObject;

  constructor(scope: Construct, id: string, { name, namespace, type, data }: UnchangedSecretProps) {
    super(scope, id);
    const content = { type, data };
    this.secret = new KubeObject(this, 'secret', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      ...content,
    });
  }
}

interface Content {
  readonly name: string;
  readonly namespace: string;
  readonly type: string;
  readonly texts: Readonly<Record<string, string>>;
  /** In base64. @default - none */
  readonly stores?: Readonly<Record<string, string>>;
}

/** The data is encoded as the API server returns it, so that a rendered Secret compares equal to the stored one. */
function secretObject(scope: Construct, { name, namespace, type, texts, stores = {} }: Content): ApiObject {
  const entries = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  return new KubeObject(scope, 'secret', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { 'app.kubernetes.io/managed-by': 'reconstruct' } },
    ...{ type, data: { ...Object.fromEntries(entries), ...stores } },
  });
}
