/** Names of resources that are also names of Services and parts of host names. */
const LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/**
 * What is wrong with the name of a resource whose Pods or Services have names that begin with it. Empty if nothing is.
 * @param longest number of characters
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#rfc-1035-label-names
 */
export function nameProblem(name: string, longest: number): readonly string[] {
  if (name.length <= longest && LABEL.test(name)) return [];
  const requirement = `must have up to ${longest} lower-case letters, digits and -, starting with a letter`;
  return [`name: Invalid value: ${JSON.stringify(name)}: ${requirement}; set name to such a label`];
}
