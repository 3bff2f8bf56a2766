/** Plain JSON, frozen with all that is in it. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const field in value) frozen(value[field]);
  return Object.freeze(value);
}
