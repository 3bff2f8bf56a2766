import { string } from './schema/index.js';

/** What Kubernetes takes as the name of most objects: RFC 1123 labels, joined by dots. */
export const DNS_SUBDOMAIN = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';

/** The name of an object in the same namespace. */
export const objectName = (description: string) =>
  string(description, { minLength: 1, maxLength: 253, pattern: DNS_SUBDOMAIN });
