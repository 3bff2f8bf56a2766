import { adoptionReasons } from '../../../consumers/adoption.js';

/** Condition types and reasons of a Certificate. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the Secret has a certificate that clients accept now. */
  Valid: {
    Valid: ['True', 'The certificate is valid'],
    NotIssued: ['Unknown', 'The certificate has not been issued yet'],
    Expired: ['False', 'The certificate has expired'],
    NotYetValid: ['False', 'The validity of the certificate has not started'],
  },
  /** Whether the certificate matches the spec, and is renewed in time. */
  UpToDate: {
    UpToDate: ['True', 'The certificate matches the spec'],
    Renewing: ['True', 'The certificate is being renewed before it expires'],
    Issuing: ['Unknown', 'A certificate is being issued'],
    IssuerNotFound: ['False', 'The issuer does not exist'],
    IssuerNotReady: ['False', 'The issuer cannot sign certificates'],
    NamespaceNotAllowed: ['False', 'The ClusterIssuer does not allow this namespace; change spec.namespaces of it'],
    RequestNotSupported: ['False', 'The ACME server cannot issue a certificate for this spec'],
    OrderFailed: ['False', 'The order at the ACME server failed; another one follows'],
    IssuingFailed: ['False', 'The certificate could not be issued; another attempt follows'],
    AnswerRejected: ['False', 'The issuer answered with a certificate that does not match the request'],
    PasswordNotFound: ['False', 'The password of the key stores does not exist, so the Secret stays as it is'],
    InvalidPassword: ['False', 'The password of the key stores cannot be used, so the Secret stays as it is'],
    SecretNotOwned: ['False', 'The Secret belongs to another owner, so nothing is issued'],
    ShorterThanRequested: ['False', 'The certificate is valid for a shorter time than spec.duration'],
    CAExpires: ['False', 'The CA expires with the certificate, so a renewal would not help; renew the CA'],
  },
  /** Whether each consumer uses the certificate. Present if the spec has consumers. It does not affect `Ready`. */
  Adopted: {
    ...adoptionReasons('certificate'),
    Delivered: ['True', 'The kubelet has had the time to replace the files of each consumer'],
  },
} as const;
