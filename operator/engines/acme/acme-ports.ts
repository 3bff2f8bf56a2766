import type { HostLookup } from '../../egress/connections.js';
import type { Clock } from '../../runtime/ports/clock.js';
import type { Provided } from '../../runtime/ports/external-port.js';
import { AccountAnnouncer } from './account-announcer.js';
import { accountSource, bindingSource } from './account-source.js';
import { HttpResponder } from './http-responder.js';
import { OrderMemory } from './order-memory.js';
import { orderSource } from './order-source.js';
import { renewalInfoSource } from './renewal-info-source.js';
import { revocationSource } from './revocation-source.js';
import { Directories } from './transport.js';
import { type ResolverFor, visibilitySource } from './visibility-source.js';
import { webhookSource } from './webhook-source.js';

/** What the ACME engine needs. */
export interface AcmePortsOptions {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** For ACME servers and webhooks, whose URLs are in resources: refuses what the operator's allow-list does not have. */
  readonly lookup: HostLookup;
  /** For the names of certificates and their name servers: refuses addresses of this machine and its link. */
  readonly challengeLookup: HostLookup;
  /** @default - the resolver of the machine, and the servers that it names */
  readonly resolverFor?: ResolverFor;
}

/** The ports of the ACME engine, and the responses to its HTTP-01 challenges. */
export function acmePorts(options: AcmePortsOptions): {
  readonly provided: readonly Provided[];
  readonly responder: HttpResponder;
} {
  const responder = new HttpResponder();
  const transport = { ...options, directories: new Directories() };
  const client = { ...transport, accounts: new AccountAnnouncer(options.clock) };
  const orders = { ...client, memory: new OrderMemory(), onHttpChallenge: responder.add.bind(responder) };
  return {
    provided: [
      accountSource(client),
      bindingSource(transport),
      orderSource(orders),
      revocationSource(client),
      renewalInfoSource(transport),
      visibilitySource({ ...options, lookup: options.challengeLookup }),
      webhookSource(options),
    ],
    responder,
  };
}
