/** Condition types and reasons of an Issuer or ClusterIssuer. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the issuer can sign certificates. */
  Available: {
    Available: ['True', 'The issuer signs certificates'],
    AccountReady: ['True', 'The ACME server has the account of the issuer'],
    GeneratingCA: ['Unknown', 'The operator generates the CA'],
    CreatingAccount: ['Unknown', 'The operator creates the account at the ACME server'],
    SecretNotFound: ['False', 'The Secret of the CA does not exist'],
    InvalidCA: ['False', 'The Secret does not have a CA certificate with its private key'],
    Expired: ['False', 'The CA certificate has expired'],
    ServerUnavailable: ['False', 'The ACME server does not answer'],
    AccountRejected: ['False', 'The ACME server did not create the account'],
    AccountLost: ['False', 'The ACME server no longer has the account; the operator creates another one'],
    AccountDeactivated: ['False', 'The account is deactivated; delete its Secret to create another account'],
    ExternalAccountRequired: ['False', 'The ACME server requires an external account; set spec.acme.externalAccount'],
    ProfileNotFound: ['False', 'The ACME server does not have the profile; correct spec.acme.profile'],
  },
  /** Whether one CA signs and no earlier one is in use. It does not affect `Ready`. */
  RolledOver: {
    UpToDate: ['True', 'Every certificate is signed by the current CA'],
    Publishing: ['Unknown', 'The next CA is in the bundle, and signs when clients trust it'],
    WaitingForBundles: ['Unknown', 'A TrustBundle does not have the next CA, which waits for it'],
    Reissuing: ['Unknown', 'Certificates are issued anew by the current CA, and the bundle has the earlier one'],
    WaitingForConsumers: [
      'Unknown',
      'Consumers may still use a certificate of an earlier CA, which stays in the bundle',
    ],
    BundleOutdated: ['False', 'A TrustBundle does not have the CA that signs, so its clients refuse certificates'],
    RenewalNeeded: ['False', 'Your CA expires soon; renew the certificate in its Secret'],
  },
} as const;
