/** A key, as it stands in a JSON pointer. @see https://www.rfc-editor.org/rfc/rfc6901#section-3 */
export function token(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
