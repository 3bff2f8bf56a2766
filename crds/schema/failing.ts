/** The problem as a list when the condition holds: checks are lists that add up. */
export function failing(condition: unknown, problem: string): readonly string[] {
  return condition ? [problem] : [];
}
