import { adoptionReasons } from '../../../consumers/adoption.js';

/** Condition types and reasons of a Certificate. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the Secret has a certificate that clients accept now. */
  Valid: {
    Valid: ['True', 'The certificate is valid'],
    NotIssued: [
      'Unknown',
      'The certificate has not been issued yet',
      'Wait for the first certificate. `UpToDate` reports the step.',
    ],
    Expired: [
      'False',
      'The certificate has expired',
      'Check `UpToDate`, which reports why the certificate was not renewed.',
    ],
    NotYetValid: ['False', 'The validity of the certificate has not started', 'Check the clocks of the nodes.'],
  },
  /** Whether the certificate matches the spec, and is renewed in time. */
  UpToDate: {
    UpToDate: ['True', 'The certificate matches the spec'],
    Renewing: ['True', 'The certificate is being renewed before it expires'],
    Issuing: ['Unknown', 'A certificate is being issued', 'Wait some seconds. The message has the cause.'],
    IssuerNotFound: ['False', 'The issuer does not exist', 'Create the issuer, or correct `spec.issuer`.'],
    IssuerNotReady: [
      'False',
      'The issuer cannot sign certificates',
      'Check the conditions of the issuer. The message also has the problem of the Certificate itself.',
    ],
    NamespaceNotAllowed: [
      'False',
      'The ClusterIssuer does not allow this namespace',
      'Change `spec.namespaces` of the ClusterIssuer, or the labels of the namespace.',
    ],
    RequestNotSupported: [
      'False',
      'The ACME server cannot issue a certificate for this spec',
      'Correct the spec as in the message, or add a solver to the issuer.',
    ],
    OrderFailed: [
      'False',
      'The order at the ACME server failed; another one follows',
      'Follow the words of the ACME server in the message. Check what the server checks: the name leads to the Gateway or Ingress and port 80 is open to the Internet, or the DNS server answers with the TXT record. The next order follows by itself after the [wait](docs/kinds/certificates/acme.md#orders-and-failures). If the server limits requests, wait: deleting the Certificate or its Secret costs further orders.',
    ],
    IssuingFailed: [
      'False',
      'The certificate could not be issued; another attempt follows',
      'Follow the message, for example correct the issuer. The operator tries again.',
    ],
    AnswerRejected: [
      'False',
      'The issuer answered with a certificate that does not match the request',
      'Correct the issuer. The Secret keeps the earlier certificate.',
    ],
    PasswordNotFound: [
      'False',
      'The password of the key stores does not exist, so the Secret stays as it is',
      'Create the Secret or key with the password of the key stores. Renewals wait for it.',
    ],
    InvalidPassword: [
      'False',
      'The password of the key stores cannot be used, so the Secret stays as it is',
      'Correct the password, for example a line break at its end. Renewals wait for it.',
    ],
    SecretNotOwned: [
      'False',
      'The Secret belongs to another owner, so nothing is issued',
      'Set another `secretName`, or follow the message to hand the Secret over.',
    ],
    ShorterThanRequested: [
      'False',
      'The certificate is valid for a shorter time than spec.duration',
      'Lower `duration` and `renewBefore` as in the message, or have the issuer give more. `Valid` is True.',
    ],
    CAExpires: [
      'False',
      'The CA expires with the certificate, so a renewal would not help',
      'Renew the CA in its Secret, as for `RenewalNeeded` of the [issuer](docs/kinds/certificates/conditions.md#issuer).',
    ],
  },
  /** Whether each consumer uses the certificate. Present if the spec has consumers. It does not affect `Ready`. */
  Adopted: {
    ...adoptionReasons('certificate'),
    Delivered: [
      'True',
      'The kubelet has had the time to replace the files of each consumer',
      'To check what the processes serve, add their Service to `consumers`.',
    ],
  },
} as const;

/** What to do about a rejected spec, by reason. */
export const rejections = {
  ReservedName: 'Set another `secretName`.',
} as const;
