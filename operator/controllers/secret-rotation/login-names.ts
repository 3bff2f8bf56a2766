/**
 * The two logins of a rotation. Their names have an underscore, so no KafkaUser has one of them.
 * @param name name of the SecretRotation
 */
export function loginNames(name: string): readonly [string, string] {
  const stem = name.replaceAll('-', '_');
  return [`${stem}_a`, `${stem}_b`];
}
