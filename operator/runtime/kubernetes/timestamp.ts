/** A time in the format of Kubernetes: RFC 3339 in UTC, to the second. @param moment or milliseconds since 1970 */
export function timestampOf(moment: Date | number): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

/**
 * Milliseconds since 1970 of a time of the API. Undefined without one, and for a text that is none.
 * @param text null is what the API has for a time that is not known
 */
export function millisecondsOf(text: string | null | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/micro-time/ */
export function microTime(now: number): string {
  return new Date(now).toISOString().replace('Z', '000Z');
}
