import type { KafkaClusterResource } from '../../../../../imports/index.js';
import { namesIn } from './names-in.js';

/** Annotation with the IDs of brokers that must have no replicas, such as `2,5`. They leave first when brokers are removed. */
export const drainAnnotation = 'reconstruct.dev/drain';

type Annotated = Pick<KafkaClusterResource, 'metadata'>;

/** The IDs in the annotation, also if it has texts that are no IDs: a broker that is drained must not get its replicas back. */
export function drainedBrokers(resource: Annotated): readonly number[] {
  return [...new Set(textsIn(resource).filter(isId).map(Number))].toSorted((a, b) => a - b);
}

/** What the annotation has beside the IDs of brokers, each as a part of a sentence with what to do. */
export interface DrainProblems {
  /** Texts that are no IDs. */
  readonly refusal?: string;
  /** IDs that no broker has. It may have left after it was drained. */
  readonly unknown?: string;
}

/** The problems of the annotation. @param known IDs of the brokers */
export function drainProblems(resource: Annotated, known: readonly number[]): DrainProblems {
  const wrong = textsIn(resource).filter((text) => !isId(text));
  const unknown = known.length === 0 ? [] : drainedBrokers(resource).filter((id) => !known.includes(id));
  const names = `annotation ${drainAnnotation} names`;
  return {
    ...(wrong.length > 0 && {
      refusal: `${names} ${quoted(wrong)}, which is no ID of a broker; write IDs, separated by commas, such as 2,5`,
    }),
    ...(unknown.length > 0 && {
      unknown: `${names} ${unknown.slice(0, most).join(', ')}, but the brokers are ${known.join(', ')}; correct the ID, or remove it`,
    }),
  };
}

/** Texts of a message. A person may write anything. */
const most = 5;

function quoted(texts: readonly string[]): string {
  return texts
    .slice(0, most)
    .map((text) => JSON.stringify(text.length > 32 ? `${text.slice(0, 32)}…` : text))
    .join(', ');
}

function textsIn({ metadata }: Annotated): readonly string[] {
  const texts = namesIn({ metadata }, drainAnnotation);
  return texts.filter((text) => text !== '');
}

function isId(text: string): boolean {
  return /^(0|[1-9]\d{0,5})$/.test(text);
}
