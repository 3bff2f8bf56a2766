/**
 * The list or map if it has members, else undefined. The API server does not store empty ones, so a rendered object
 * would always differ from the stored one.
 */
export function present<T extends object>(members: T | undefined): T | undefined {
  return members !== undefined && Object.keys(members).length > 0 ? members : undefined;
}
