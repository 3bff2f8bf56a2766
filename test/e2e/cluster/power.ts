import { listed } from './api.js';
import { Node } from './kinds.js';
import { runShell } from './kubectl.js';
import { placeOf } from './zones.js';

/** An act on the power switch or the network cable of a node. */
export type PowerVerb = 'kill' | 'start' | 'partition' | 'heal';

/** The shell command for it, called with a verb and the node's position. Undefined without one. */
const command = process.env['RECONSTRUCT_NODE_POWER'] || undefined;

/** For the title of a test that takes power over nodes, and is left out without it. */
export const powerless = command === undefined;

/** The note in the title of a skipped test. */
export const powerNote = powerless ? ' (left out: RECONSTRUCT_NODE_POWER names no command)' : '';

/** The position of each node, also while its Node is deleted. The Node returns with the power. */
const places = new Map<string, number>();

/** @param node its name */
export async function power(verb: PowerVerb, node: string): Promise<void> {
  if (command === undefined) throw new Error('RECONSTRUCT_NODE_POWER names no command');
  const place = places.get(node) ?? placeOf(node, await listed(Node));
  places.set(node, place);
  await runShell(command, [verb, String(place)]);
}
