import { string } from './schema/index.js';

/** What Kubernetes takes as the name of most objects: RFC 1123 labels, joined by dots. */
export const DNS_SUBDOMAIN = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';

/** The name of an object in the same namespace. */
export const objectName = (description: string) =>
  string(description, { minLength: 1, maxLength: 253, pattern: DNS_SUBDOMAIN });

/** The text of a container image. What nobody sees, like a space without a width, is in no name of one. */
export const imageText = { minLength: 1, maxLength: 1024, pattern: '^[!-~]+$' } as const;
