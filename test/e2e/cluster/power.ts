import { listed } from './api.js';
import { Node } from './kinds.js';
import { runShell } from './kubectl.js';
import { placeOf } from './zones.js';

/** What somebody does with a node's power switch and its cable. */
export type PowerVerb = 'kill' | 'start' | 'partition' | 'heal';

/** The line of shell that does it, with a verb and the node's place; undefined where nobody can. */
const command = process.env['RECONSTRUCT_NODE_POWER'] || undefined;

/** For the title of a test that takes power over nodes, and is left out without it. */
export const powerless = command === undefined;

/** What a title says of a test that is left out. */
export const powerNote = powerless ? ' (left out: RECONSTRUCT_NODE_POWER names no command)' : '';

/** A node has its place also while nobody knows its Node: it was deleted, and comes back when it has power again. */
const places = new Map<string, number>();

/** @param node its name */
export async function power(verb: PowerVerb, node: string): Promise<void> {
  if (command === undefined) throw new Error('RECONSTRUCT_NODE_POWER names no command');
  const place = places.get(node) ?? placeOf(node, await listed(Node));
  places.set(node, place);
  await runShell(command, [verb, String(place)]);
}
