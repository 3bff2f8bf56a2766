/**
 * A list or map that has members, else undefined: the API server does not store empty ones, so rendering them would
 * make the object differ from what is stored for ever.
 */
export function present<T extends object>(members: T | undefined): T | undefined {
  return members !== undefined && Object.keys(members).length > 0 ? members : undefined;
}
