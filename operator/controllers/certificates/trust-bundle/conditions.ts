/** Condition types and reasons of a TrustBundle. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the selected namespaces have the certificates of all sources. */
  Synced: {
    Synced: ['True', 'Every selected namespace has the certificates of all sources'],
    SourceNotFound: ['False', 'A source does not exist, so the bundle stays as it is'],
    InvalidSource: ['False', 'A source has no valid certificate, so the bundle stays as it is'],
  },
} as const;
