/**
 * The members of some sequences, each once. A member comes after those that precede it in a sequence, and otherwise in
 * the order in which the sequences name them.
 */
export function mergedOrder(sequences: readonly (readonly string[])[]): readonly string[] {
  const predecessors = new Map<string, Set<string>>();
  for (const sequence of sequences) {
    for (const [index, member] of sequence.entries()) {
      const before = predecessors.get(member) ?? new Set();
      const previous = sequence[index - 1];
      predecessors.set(member, previous === undefined ? before : before.add(previous));
    }
  }
  const waiting = new Set(predecessors.keys());
  const order: string[] = [];
  while (waiting.size > 0) {
    const isNext = (member: string) => [...(predecessors.get(member) ?? [])].every((one) => !waiting.has(one));
    // Sequences that contradict each other have no right order.
    const [first = ''] = waiting;
    const next = [...waiting].find(isNext) ?? first;
    order.push(next);
    waiting.delete(next);
  }
  return order;
}
