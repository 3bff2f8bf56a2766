/** The hexadecimal form of an ID, which etcdctl and the logs have. @param decimal as the gateway has it */
export function hexadecimal(decimal: unknown): string | undefined {
  if (typeof decimal !== 'string' || !/^\d{1,20}$/.test(decimal)) return undefined;
  return BigInt(decimal).toString(16);
}

/** The form of an ID for the gateway. @param id in hexadecimal. Another text becomes an ID that no member has */
export function decimal(id: string): string {
  return /^[0-9a-f]{1,16}$/.test(id) ? BigInt(`0x${id}`).toString() : '0';
}
