import type { KafkaClusterResource } from '../../../../imports/index.js';

/** Annotation with the IDs of brokers that must have no replicas, such as `2,5`. They leave first when brokers are removed. */
export const drainAnnotation = 'reconstruct.dev/drain';

/** The IDs in the annotation. What is no ID is ignored. */
export function drainedBrokers({ metadata }: Pick<KafkaClusterResource, 'metadata'>): readonly number[] {
  const texts = (metadata.annotations?.[drainAnnotation] ?? '').split(',').map((one) => one.trim());
  return [...new Set(texts.filter((text) => /^(0|[1-9]\d{0,5})$/.test(text)).map(Number))].toSorted((a, b) => a - b);
}
