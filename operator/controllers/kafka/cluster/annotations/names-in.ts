import type { KafkaClusterResource } from '../../../../../imports/index.js';

/** The texts in an annotation, which has commas between them. One empty text without the annotation. */
export function namesIn({ metadata }: Pick<KafkaClusterResource, 'metadata'>, annotation: string): readonly string[] {
  return (metadata.annotations?.[annotation] ?? '').split(',').map((one) => one.trim());
}
