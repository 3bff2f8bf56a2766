import type { AllowedAddresses } from '../../egress/allowed-addresses.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { haproxySource } from './haproxy/haproxy-source.js';
import { hostLookupSource } from './host-lookup.js';
import { webhookSource } from './webhook/webhook-source.js';

interface PublicationEnvironment {
  readonly clock: Clock;
  /** The addresses that users may write into resources. */
  readonly addresses: Pick<AllowedAddresses, 'lookupFor'>;
}

/** The sources of ServicePublications that no other kind has. */
export const publication = {
  name: 'publication',
  open: ({ clock, addresses }: PublicationEnvironment) => ({
    provided: [haproxySource({ clock, addresses }), hostLookupSource({ clock }), webhookSource({ clock, addresses })],
  }),
};
