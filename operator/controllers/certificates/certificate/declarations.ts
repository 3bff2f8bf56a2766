import type { CertificateResource } from '../../../../imports/index.js';
import { type Found, type Refer, Secret } from '../../../runtime/index.js';
import { issuerReads } from '../issuer-reference/declarations.js';
import { passwordReferenceIn } from '../secrets/keystores.js';

/** Kinds that a Certificate owns. */
export const owns = [Secret] as const;

/** Objects that the controller reads. */
export const reads = (refer: Refer<CertificateResource>) => ({
  /** The Secret, also if somebody else owns it. */
  secret: refer.named(Secret, ({ spec }) => spec.secretName),
  /** The Secret with the password of key stores. */
  password: refer.named(Secret, ({ spec }) => passwordReferenceIn(spec)?.name),
  ...issuerReads(refer),
});

/** The objects that `reads` finds. */
export type CertificateReads = Found<ReturnType<typeof reads>>;
