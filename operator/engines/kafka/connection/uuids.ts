/** A UUID as Kafka's tools write it, base64url without padding, from the hexadecimal form of the client. */
export function kafkaUuid(hexadecimal: string): string {
  return Buffer.from(hexadecimal.replaceAll('-', ''), 'hex').toString('base64url');
}

/** The hexadecimal form of a UUID that Kafka's tools write. */
export function hexadecimalUuid(text: string): string {
  const digits = Buffer.from(text, 'base64url').toString('hex').padStart(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
