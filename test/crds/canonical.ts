/** The value as text with sorted keys. Two values are equal exactly if their texts are. */
export function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
