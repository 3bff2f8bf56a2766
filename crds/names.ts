import { string } from './schema/index.js';

/** Names that Kubernetes accepts for most objects: RFC 1123 labels, joined by dots. */
export const DNS_SUBDOMAIN = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';

/** The name of an object in the same namespace. */
export const objectName = (description: string) =>
  string(description, { minLength: 1, maxLength: 253, pattern: DNS_SUBDOMAIN });

/** The limits of a container image. Invisible characters, such as a zero-width space, are never part of its name. */
export const imageText = { minLength: 1, maxLength: 1024, pattern: '^[!-~]+$' } as const;
