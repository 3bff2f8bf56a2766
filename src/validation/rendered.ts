import type { IConstruct } from 'constructs';

/**
 * The result of a function that renders the objects of a construct.
 * @param problems the problems of the props
 * @throws {Error} with these problems if the function fails because of them, and otherwise with the error of the function
 */
export function rendered<T>(construct: IConstruct, problems: () => readonly string[], render: () => T): T {
  try {
    return render();
  } catch (cause) {
    const found = problems();
    if (found.length === 0) throw cause;
    // The form of the errors of `cdk8s synth`.
    throw new Error(found.map((problem) => `[${construct.node.path}] ${problem}`).join('\n'), { cause });
  }
}
