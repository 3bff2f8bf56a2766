// A file of its own: public declarations import it, and those of signing need newer types of Node.js than the projects of
// `cdk8s init` have.

/** A certificate and its private key, both in PEM format. */
export interface CertifiedKey {
  readonly certificate: string;
  readonly key: string;
}
