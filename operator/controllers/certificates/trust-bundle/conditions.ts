/** Condition types and reasons of a TrustBundle. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the selected namespaces have the certificates of all sources. */
  Synced: {
    Synced: ['True', 'Every selected namespace has the certificates of all sources'],
    Publishing: [
      'Unknown',
      'A selected namespace does not have the bundle yet',
      'Wait some seconds. If it persists, check who owns the ConfigMap in the namespaces of the message.',
    ],
    SourceNotFound: [
      'False',
      'A source does not exist, so its earlier certificates stay in the bundle',
      'Create the sources in the message, or remove them from the bundle.',
    ],
    InvalidSource: [
      'False',
      'A source has no valid certificate, so its earlier certificates stay in the bundle',
      'Correct the sources in the message. An Issuer without a CA is such a source for some seconds.',
    ],
  },
} as const;
