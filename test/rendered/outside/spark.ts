import { Pod } from '../../../operator/index.js';
import type { Systems } from '../ports/system.js';

/** Executors that are deleted at once. */
export function outside(): Systems {
  return {
    'reconstruct/spark-leftovers': {
      answer: ({ executors }, { objects }) => {
        const there = new Set(objects(Pod).map(({ metadata }) => metadata.uid));
        return { left: executors.map(({ uid }: { uid: string }) => uid).filter((uid: string) => there.has(uid)) };
      },
      perform: () => {},
    },
  };
}
