/** What is reported about an annotated object, as events. */
export const conditions = {
  /** Whether the annotation names a publication. */
  PublishedLike: {
    Found: ['True', 'The object is published like the ServicePublication of its annotation'],
    PublicationNotFound: [
      'False',
      'The namespace has no ServicePublication of the name in reconstruct.dev/publish-like',
      'Create the ServicePublication, or correct the annotation.',
    ],
  },
} as const;
