/** An interval in which an instance always answered that it accepts writes. */
export interface Stretch {
  /** As `orders-2`. */
  readonly instance: string;
  /** Where it was: two processes of one instance are two that take writes. */
  readonly address: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/** Moments at which two took writes, which must never be, in words. */
export function overlapsIn(stretches: readonly Stretch[]): readonly string[] {
  const inOrder = stretches.toSorted((one, other) => one.from - other.from);
  return inOrder.flatMap((one, index) => {
    const others = inOrder.slice(index + 1).filter(({ address, from }) => address !== one.address && from <= one.to);
    return others.map((other) => `${told(one)} and ${told(other)} at ${timeOf(other.from)}`);
  });
}

function told({ instance, address }: Stretch): string {
  return `${instance} (${address})`;
}

/** Of the day, in UTC, as `12:30:01.250`. */
function timeOf(at: number): string {
  return new Date(at).toISOString().slice(11, -1);
}
