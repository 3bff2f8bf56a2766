import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf, type Source } from './sources.js';

/** A folder that is divided into rooms. Each room imports from itself and from those before it, types included. */
export interface Staircase {
  readonly folder: string;
  /** From the top down. */
  readonly rooms: readonly Room[];
}

/** A folder on a staircase. */
export interface Room {
  readonly name: string;
  /** What it is for: one sentence or two, which its README.md begins with. */
  readonly purpose: string;
}

export const staircases: readonly Staircase[] = [
  {
    folder: 'operator/runtime',
    rooms: [
      {
        name: 'kubernetes',
        purpose: 'Kubernetes objects and kinds as values: names, API errors, equality, and well-known labels. No I/O.',
      },
      {
        name: 'ports',
        purpose:
          'The interfaces to the outside: the API server, the clock, telemetry, event recording, and external sources.',
      },
      {
        name: 'concurrency',
        purpose:
          'Building blocks for concurrent work: abort signals, semaphore, latch, watchdog, backoff, and the work queue.',
      },
      {
        name: 'fields',
        purpose:
          'The fields of a manifest compared with those of a live object: merge keys, containment, drift, and field sets.',
      },
      {
        name: 'controller',
        purpose: 'What an author declares: the controller, its conditions, facts, reads, owned kinds, and RBAC rules.',
      },
      {
        name: 'rendering',
        purpose: 'Turns the constructs of `desire` into objects, in the order in which the runtime applies them.',
      },
      {
        name: 'ownership',
        purpose:
          'How objects name their owner: labels, annotations, owner references, and the inventory of a resource.',
      },
      {
        name: 'cache',
        purpose:
          'Keeps the known state of the cluster: lists, watches, stores, indexes, and the writes of this process.',
      },
      {
        name: 'leader',
        purpose: 'Leader election: the lease, its term, and the fence that stops writes outside of a term.',
      },
      { name: 'memory', purpose: 'What a process remembers of a resource between two reconciles.' },
      {
        name: 'external',
        purpose:
          'Polls external sources and sends external calls, beside the reconciles: questions, answers, records, and intents.',
      },
      {
        name: 'context',
        purpose: 'What one reconcile carries, and how it reads and writes objects through the cache.',
      },
      {
        name: 'observe',
        purpose:
          'The first stage of a reconcile: what the caches, the references, and external sources say about a resource.',
      },
      {
        name: 'apply',
        purpose:
          'Brings objects to their desired state: creates, updates, and resolves conflicts between field managers.',
      },
      { name: 'status', purpose: 'Assesses how far a resource got, and writes its status, events, and revisions.' },
      {
        name: 'deletion',
        purpose:
          'Prunes what is no longer desired, with the finalizer and the inventory that protect it, and what the garbage collector misses.',
      },
      {
        name: 'reconcile',
        purpose: 'One reconcile from top to bottom, the loop of a controller, and the operator that runs all loops.',
      },
    ],
  },
];

/** Files of one folder, those of its folders apart. Tests are not counted. */
export const mostFiles = 16;

/** What a file imports of rooms below its own, or of the index, which is below all of them. */
export function stepsDown(source: Source, { folder, rooms }: Staircase): string[] {
  const names = [...rooms.map(({ name }) => name), 'index'];
  const roomOf = (path: string) =>
    path === `${folder}/index.ts` ? 'index' : path.slice(folder.length + 1).split('/')[0];
  const from = roomOf(source.path) ?? '';
  if (!source.path.startsWith(`${folder}/`) || !names.includes(from)) return [];
  return importsOf(source)
    .filter((to) => to.startsWith(`${folder}/`))
    .map((to) => ({ to, room: roomOf(to) ?? '' }))
    .filter(({ room }) => names.indexOf(room) > names.indexOf(from))
    .map(({ to, room }) => `${source.path} imports ${to}: ${from} is above ${room}`);
}

/** A file that stands in no room: beside the rooms there is an index alone. */
export function strays({ path }: Source, { folder, rooms }: Staircase): string[] {
  if (!path.startsWith(`${folder}/`) || path === `${folder}/index.ts`) return [];
  const isInRoom = rooms.some(({ name }) => path.startsWith(`${folder}/${name}/`));
  return isInRoom ? [] : [`${path} is in no room of ${folder}: put it into one, or add one to the staircase`];
}

/** Folders of the product with too many files. */
export function crowdsIn(sources: readonly Source[]): string[] {
  const counts = new Map<string, number>();
  for (const { path } of sources) {
    if (/^(test|examples)\//.test(path)) continue;
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > mostFiles)
    .map(([folder, count]) => `${folder} has ${count} files: split it where it is about two things`);
}

/** The purpose of a folder: the paragraph after the heading of its README.md. */
export function purposeOf(folder: string): string | undefined {
  const text = readFileSync(join(import.meta.dirname, '..', folder, 'README.md'), 'utf8');
  return text.split('\n\n')[1]?.replaceAll('\n', ' ').trim();
}
