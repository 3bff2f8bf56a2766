import { rootCertificates } from 'node:tls';

/** The CA certificates that Mozilla trusts, PEM. They come with Node.js, so an update of the operator updates them. */
export function publicAuthorities(): readonly string[] {
  return rootCertificates;
}
