/** Condition types and reasons of a TrustBundle. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the selected namespaces have the certificates of all sources. */
  Synced: {
    Synced: ['True', 'Every selected namespace has the certificates of all sources'],
    Publishing: ['Unknown', 'A selected namespace does not have the bundle yet'],
    SourceNotFound: ['False', 'A source does not exist, so its earlier certificates stay in the bundle'],
    InvalidSource: ['False', 'A source has no valid certificate, so its earlier certificates stay in the bundle'],
  },
} as const;
