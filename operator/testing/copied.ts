/** A copy of plain JSON, which nobody else has. Several times as fast as `structuredClone`, which knows more. */
export function copied<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copied) as T;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copied(part)])) as T;
}
