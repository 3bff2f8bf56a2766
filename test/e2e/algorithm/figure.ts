/** Prints what was measured for a line of the contract, so that a run's output shows it whether it passes or not. */
export function figure(line: number, text: string): void {
  console.log(`line ${line}: ${text}`);
}

/** The time from one moment to another, as `1.5 s`. @param from, to milliseconds since 1970 */
export function seconds(from: number, to: number): string {
  return `${((to - from) / 1000).toFixed(1)} s`;
}
