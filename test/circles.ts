import { importsOf, type Source } from './sources.js';

/** Who reaches whom: files, or folders. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** Each circle of imports among files, imports of types included: one for each group of files that reach each other. */
export function circlesIn(sources: readonly Source[]): string[] {
  const known = new Set(sources.map(({ path }) => path));
  const graph = new Map(sources.map((source) => [source.path, importsOf(source).filter((to) => known.has(to))]));
  return circlesOf(graph).map(
    (circle) => `${circle[0]} imports ${circle[1]}, which leads back to it: ${circle.join(' → ')}`,
  );
}

/** One circle for each group of nodes that reach each other. Its first node is also its last. */
export function circlesOf(graph: Graph): readonly (readonly string[])[] {
  const told = new Set<string>();
  const circles: (readonly string[])[] = [];
  for (const from of [...graph.keys()].sort()) {
    if (told.has(from)) continue;
    const circle = wayBack(from, graph);
    if (!circle) continue;
    for (const node of reachedFrom(from, graph)) if (reachedFrom(node, graph).has(from)) told.add(node);
    circles.push(circle);
  }
  return circles;
}

/** The shortest way from a node to itself; undefined where there is none. */
function wayBack(start: string, graph: Graph): readonly string[] | undefined {
  const before = new Map<string, string>();
  const waiting = [start];
  for (const path of waiting) {
    for (const to of graph.get(path) ?? []) {
      if (to === start) {
        const way = [start];
        for (let step: string | undefined = path; step !== undefined; step = before.get(step)) way.unshift(step);
        return way;
      }
      if (before.has(to)) continue;
      before.set(to, path);
      waiting.push(to);
    }
  }
  return undefined;
}

function reachedFrom(start: string, graph: Graph): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (const path of waiting)
    for (const to of graph.get(path) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      waiting.push(to);
    }
  return reached;
}
