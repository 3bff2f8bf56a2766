/** Condition types and reasons of an Issuer or ClusterIssuer. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the issuer can sign certificates. */
  Available: {
    Available: ['True', 'The issuer signs certificates'],
    AccountReady: ['True', 'The ACME server has the account of the issuer'],
    GeneratingCA: ['Unknown', 'The operator generates the CA', 'Wait some seconds.'],
    CreatingAccount: ['Unknown', 'The operator creates the account at the ACME server', 'Wait some seconds.'],
    SecretNotFound: ['False', 'The Secret of the CA does not exist', 'Create the Secret in `ca.secretName`.'],
    InvalidCA: [
      'False',
      'The Secret does not have a CA certificate with its private key',
      'Correct the Secret as in the message.',
    ],
    Expired: [
      'False',
      'The CA certificate has expired',
      'Renew the CA in its Secret. A generated CA is replaced at once.',
    ],
    ServerUnavailable: [
      'False',
      'The ACME server does not answer',
      'Check `server`, `caBundle` and [`--allowed-addresses`](docs/addresses.md).',
    ],
    AccountRejected: [
      'False',
      'The ACME server did not create the account',
      'Follow the words of the ACME server in the message.',
    ],
    AccountLost: [
      'False',
      'The ACME server no longer has the account; the operator creates another one',
      'Wait some seconds. If it persists, the ACME server refuses another account: see the log of the operator.',
    ],
    AccountDeactivated: [
      'False',
      'The account is deactivated',
      'Delete the Secret `NAME-account` to create another account.',
    ],
    ExternalAccountRequired: [
      'False',
      'The ACME server requires an external account; set spec.acme.externalAccount',
      'Set `acme.externalAccount` with the key of the certificate authority.',
    ],
    ProfileNotFound: [
      'False',
      'The ACME server does not have the profile',
      'Set `acme.profile` to a profile in the message.',
    ],
  },
  /** Whether one CA signs and no earlier one is in use. It does not affect `Ready`. */
  RolledOver: {
    UpToDate: ['True', 'Every certificate is signed by the current CA'],
    Publishing: [
      'Unknown',
      'The next CA is in the bundle, and signs when clients trust it',
      'Wait. The next CA signs when clients have had time to trust it.',
    ],
    WaitingForBundles: [
      'Unknown',
      'A TrustBundle does not have the next CA, which waits for it',
      'Check `Synced` of the TrustBundles in the message. Delete a TrustBundle that nothing uses, or remove the issuer from its `sources`. The message has the time at which the next CA signs without them.',
    ],
    Reissuing: [
      'Unknown',
      'Certificates are issued anew by the current CA, and the bundle has the earlier one',
      'Wait. If it persists, a Certificate of the issuer has a problem.',
    ],
    WaitingForConsumers: [
      'Unknown',
      'Consumers may still use a certificate of an earlier CA, which stays in the bundle',
      'See `Adopted` of the Certificates in the message.',
    ],
    BundleOutdated: [
      'False',
      'A TrustBundle does not have the CA that signs, so its clients refuse certificates',
      'Check `Synced` of the TrustBundles in the message. Their clients refuse certificates of the CA until they have it.',
    ],
    RenewalNeeded: [
      'False',
      'Your CA expires soon',
      'Sign the next CA before this one expires, and replace `tls.crt` and `tls.key` of the Secret in one write. The operator issues all certificates anew, and keeps the earlier CA in `ca.crt` while it is in use. Publish both in a TrustBundle first if clients trust the CA by other means.',
    ],
  },
} as const;
