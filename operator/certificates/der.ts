/** Encodes values in DER, the binary format of X.509 and PKCS. Each function returns tag, length and content. */

function encoded(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = bytesOf(length);
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

function bytesOf(value: number): Buffer {
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

/** A whole number of 0 or more. */
export function integer(value: number): Buffer {
  const bytes = bytesOf(value);
  // The first bit is the sign.
  return encoded(0x02, ...((bytes[0] ?? 0) & 0x80 ? [Buffer.from([0])] : []), bytes);
}

export function octets(content: Buffer): Buffer {
  return encoded(0x04, content);
}

/** The value of parameters that an algorithm does not have. */
export const none = Buffer.from('0500', 'hex');

/** @param dotted such as `2.5.29.15` */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  return encoded(0x06, ...[first * 40 + second, ...others].map(base128));
}

/** Seven bits a byte. The first bit of each but the last is set. */
function base128(value: number): Buffer {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) | 0x80);
  return Buffer.from(bytes);
}

export function sequence(...parts: readonly Buffer[]): Buffer {
  return encoded(0x30, ...parts);
}

/** A set, whose order DER prescribes. */
export function setOf(...parts: readonly Buffer[]): Buffer {
  return encoded(0x31, ...parts.toSorted(Buffer.compare));
}

/** UTF-16 with the high byte first, and two zero bytes at its end if `isTerminated`. */
export function utf16(text: string, isTerminated = false): Buffer {
  return Buffer.from(isTerminated ? `${text}\0` : text, 'utf16le').swap16();
}

/** BMPString. */
export function bmpString(text: string): Buffer {
  return encoded(0x1e, utf16(text));
}

/** A value with an explicit tag of its context. */
export function explicit(tag: number, value: Buffer): Buffer {
  return encoded(0xa0 | tag, value);
}

/** Octets with an implicit tag of their context. */
export function implicitOctets(tag: number, content: Buffer): Buffer {
  return encoded(0x80 | tag, content);
}
