import type { Clock } from '../../runtime/ports/clock.js';
import { certificatePorts } from './certificate-ports.js';

/** The sources of issuers and Certificates. */
export const certificates = {
  name: 'certificates',
  open: ({ clock }: { readonly clock: Pick<Clock, 'now'> }) => ({ provided: certificatePorts(clock) }),
};
