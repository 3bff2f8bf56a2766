/**
 * The members of some sequences, each once, in an order that follows the longest sequences: a member comes after its
 * predecessor in the first sequence that has it.
 */
export function mergedOrder(sequences: readonly (readonly string[])[]): readonly string[] {
  const order: string[] = [];
  for (const sequence of sequences.toSorted((a, b) => b.length - a.length)) {
    let last = -1;
    for (const member of sequence) {
      const at = order.indexOf(member);
      if (at === -1) order.splice(++last, 0, member);
      else last = Math.max(last, at);
    }
  }
  return order;
}
