/** Why an ACME server could not be asked, with what to do. */
export function serverAdvice(why: string): string {
  if (/unable to (?:verify|get)|self-signed/.test(why))
    return `${why}; set spec.acme.caBundle to the certificate of the CA of this server`;
  // A host that is not allowed has its own advice.
  return why.includes('--allowed-addresses')
    ? why
    : `${why}; correct spec.acme.server, or check that the server can be reached`;
}
