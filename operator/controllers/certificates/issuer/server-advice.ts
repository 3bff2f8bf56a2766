/**
 * Why an ACME server could not be asked, with what to do. Node.js advises a flag of its own where the CA of a server is not
 * trusted, which is of no use here.
 */
export function serverAdvice(why: string): string {
  const [cause = why] = why.split('; if the root CA is installed');
  if (/unable to (?:verify|get)|self-signed/.test(cause))
    return `${cause}; set spec.acme.caBundle to the certificate of the CA of this server`;
  // A host that is not allowed has its own advice.
  return cause.includes('--allowed-addresses')
    ? cause
    : `${cause}; correct spec.acme.server, or check that the server can be reached`;
}
