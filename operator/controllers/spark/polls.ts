import type { SparkJobResource } from '../../../imports/index.js';
import { sparkAuthKeys, sparkObjectNames } from '../../../src/index.js';
import { type DrawQuestion, draw } from '../../passwords/draw.js';
import { type PollBuilder, type PollRequest, Secret } from '../../runtime/index.js';
import type { owns, reads } from './declarations.js';
import { leftoversIn } from './plan/leftovers.js';
import { type LeftoversQuestion, sparkLeftovers } from './ports/leftovers.js';
import { seenIn } from './situation.js';
import type { StableView } from './view.js';

/** The external sources that a SparkJob polls. */
export const polls = (ask: PollBuilder<SparkJobResource, (typeof owns)[number], ReturnType<typeof reads>>) => ({
  drawn: ask(draw, drawAsked),
  leftovers: ask(sparkLeftovers, leftoversAsked),
});

/** The secret of the driver and its executors. Undefined while there is none. */
export function secretIn({ resource, owned }: Pick<StableView, 'resource' | 'owned'>): string | undefined {
  const { auth } = sparkObjectNames(resource.metadata.name);
  const encoded = owned.of(Secret).find(({ metadata }) => metadata.name === auth)?.data?.[sparkAuthKeys.driver];
  return encoded === undefined || encoded === '' ? undefined : Buffer.from(encoded, 'base64').toString();
}

function drawAsked(view: StableView): PollRequest<DrawQuestion> | undefined {
  const { metadata, status } = view.resource;
  const isOver = metadata.deletionTimestamp !== undefined || status?.completionTime !== undefined;
  if (isOver || secretIn(view) !== undefined) return undefined;
  const replaces = `${metadata.namespace}/${metadata.name} ${metadata.uid}`;
  return {
    question: { replaces, length: 48, charset: 'Alphanumeric', keys: [sparkAuthKeys.driver] },
    interval: 3_600_000,
  };
}

/** Milliseconds between two questions while executors are being deleted. */
const interval = 2_000;

function leftoversAsked(view: StableView): PollRequest<LeftoversQuestion> | undefined {
  const { metadata } = view.resource;
  if (metadata.deletionTimestamp !== undefined) return undefined;
  const executors = leftoversIn(seenIn(view));
  return executors.length === 0
    ? undefined
    : { question: { namespace: metadata.namespace ?? '', executors }, interval };
}
