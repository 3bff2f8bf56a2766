import type { SparkJobResource } from '../../../imports/index.js';
import { sparkAuthKeys, sparkObjectNames } from '../../../src/index.js';
import { type DrawQuestion, draw } from '../../passwords/draw.js';
import { drawnOnce, storedText } from '../../passwords/stored-text.js';
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
  const { auth: name } = sparkObjectNames(resource.metadata.name);
  return storedText(owned.of(Secret), { name, key: sparkAuthKeys.driver });
}

function drawAsked(view: StableView): PollRequest<DrawQuestion> | undefined {
  const { metadata, status } = view.resource;
  const isOver = metadata.deletionTimestamp !== undefined || status?.completionTime !== undefined;
  if (isOver || secretIn(view) !== undefined) return undefined;
  return drawnOnce(view.resource, { key: sparkAuthKeys.driver, length: 48 });
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
