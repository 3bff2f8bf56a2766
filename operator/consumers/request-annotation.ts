import { truncate } from '../runtime/kubernetes/truncate.js';

/** Bytes of a request in a status. */
const mostBytes = 1024;

/**
 * What a person asks for by an annotation, such as a new credential now. Each new value asks once, so the status records
 * the value that was answered.
 * @returns the value as the status records it. Undefined without the annotation
 */
export function annotatedRequest(
  metadata: { readonly annotations?: Readonly<Record<string, string>> },
  annotation: string,
): string | undefined {
  const value = metadata.annotations?.[annotation];
  return value === undefined ? undefined : truncate(value, mostBytes);
}
