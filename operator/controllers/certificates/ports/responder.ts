/** Where the operator answers HTTP-01 challenges. */
export interface Responder {
  /** The IP address of this Pod. */
  readonly address: string;
  readonly port: number;
}

/** The options of the operator that decide where it answers. */
export interface ResponderOptions {
  /** 0 for nowhere. */
  readonly acmePort: number;
  /** Empty if it is not known. */
  readonly podIp: string;
  readonly allowedAddresses: readonly string[];
}

/**
 * Where this process answers HTTP-01 challenges. Undefined if it does not: without an allowed address, no issuer can
 * name an ACME server.
 */
export function responderOf({ acmePort, allowedAddresses, podIp }: ResponderOptions): Responder | undefined {
  return acmePort > 0 && podIp !== '' && allowedAddresses.length > 0 ? { address: podIp, port: acmePort } : undefined;
}
