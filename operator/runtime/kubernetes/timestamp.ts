/** A time in the format of Kubernetes: RFC 3339 in UTC, to the second. @param moment or milliseconds since 1970 */
export function timestampOf(moment: Date | number): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

/** @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/micro-time/ */
export function microTime(now: number): string {
  return new Date(now).toISOString().replace('Z', '000Z');
}
