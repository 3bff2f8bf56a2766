import type { AllowedAddresses } from '../../egress/allowed-addresses.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { hookSource } from './hook-source.js';

interface HooksEnvironment {
  readonly clock: Pick<Clock, 'now'>;
  readonly addresses: Pick<AllowedAddresses, 'lookupFor'>;
}

/** The source of all kinds whose members have hooks. */
export const hooks = {
  name: 'hooks',
  open: ({ clock, addresses }: HooksEnvironment) => ({
    provided: [hookSource({ clock, lookup: addresses.lookupFor })],
  }),
};
