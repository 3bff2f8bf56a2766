import { hash } from 'node:crypto';
import { domainToASCII } from 'node:url';

/** Bytes of a label and of a name in text. */
const longest = { label: 63, name: 253 } as const;

/** A name that cannot be in DNS. Its message is a part of a sentence for people. */
export class InvalidNameError extends Error {
  override readonly name = 'InvalidNameError';
}

/**
 * The form of a name on the wire: ASCII in lower case without a final dot. Labels with other letters are converted by IDNA.
 * @throws {InvalidNameError} if it is no name
 */
export function asciiName(name: string): string {
  const labels = name.replace(/\.$/, '').split('.').map(asciiLabel);
  const text = labels.join('.');
  if (text.length > longest.name)
    throw new InvalidNameError(
      `${text} has ${text.length} bytes: a name must have at most ${longest.name}; shorten it`,
    );
  return text;
}

/**
 * The absolute name of a name that is relative to a zone, or absolute in it. `@` is the zone itself.
 * @throws {InvalidNameError} if it is no name, or not in the zone
 */
export function absoluteName(name: string, zone: string): string {
  const apex = asciiName(zone);
  if (name === '@') return apex;
  const text = name.replace(/\.$/, '').split('.').map(asciiLabel).join('.');
  if (isInZone(text, apex)) return asciiName(name);
  if (name.endsWith('.'))
    throw new InvalidNameError(`${text} is not in the zone ${apex}; correct the name or the zone`);
  return asciiName(`${text}.${apex}`);
}

/** A zone in ASCII. One that is no name stays as it is, and no name is in it. */
export function zoneName(zone: string): string {
  try {
    return asciiName(zone);
  } catch (error) {
    if (error instanceof InvalidNameError) return zone.toLowerCase();
    throw error;
  }
}

/** Whether an ASCII name is a zone or below it. */
export function isInZone(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

/** A label of a name that no host has, because labels of hosts do not start with a hyphen. */
const special = { apex: '-apex', wildcard: '-any' } as const;

/**
 * The name of the TXT record that tells the owner of the records of one name and type: the first label gets the type as a
 * prefix, as in external-dns. It is in the zone, also for the zone itself.
 *
 * @param prefix the type in lower case
 * @example ownerName('billing.corp.example.com', 'A', 'corp.example.com') === 'a-billing.corp.example.com'
 */
export function ownerName(name: string, type: string, zone: string): string {
  const prefix = type.toLowerCase();
  if (name === zone) return `${prefix}-${special.apex}.${zone}`;
  const [label = '', ...rest] = name.split('.');
  const shown = label === '*' ? special.wildcard : label;
  const text = [`${prefix}-${shown}`, ...rest].join('.');
  const fits = prefix.length + 1 + shown.length <= longest.label && text.length <= longest.name;
  return fits ? text : `${prefix}-${hash('sha256', name, 'hex').slice(0, 16)}.${zone}`;
}

function asciiLabel(label: string): string {
  if (label === '') throw new InvalidNameError('it has an empty label; remove a dot');
  const text = isAscii(label) ? label.toLowerCase() : domainToASCII(label);
  // Digits of other scripts become those of an IPv4 address.
  if (text === '' || text.includes('.')) throw new InvalidNameError(`${label} is no label by IDNA; correct it`);
  if (text.length <= longest.label) return text;
  throw new InvalidNameError(
    `${text} has ${text.length} bytes: a label must have at most ${longest.label}; shorten it`,
  );
}

function isAscii(text: string): boolean {
  return [...text].every((character) => (character.codePointAt(0) ?? 0) < 0x80);
}
