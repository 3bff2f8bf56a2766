import { matching, type Rule, string } from '../schema/index.js';

/** Names that Kubernetes accepts for most objects: RFC 1123 labels, joined by dots. */
export const DNS_SUBDOMAIN = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';

const nameText = { minLength: 1, maxLength: 253, pattern: DNS_SUBDOMAIN };

/** The name of an object in the same namespace. */
export const objectName = (description: string, rules: readonly Rule[] = []) =>
  string(description, { ...nameText, ...(rules.length > 0 && { rules }) });

/** Like {@link objectName}, for a field that can be absent. */
export const optionalObjectName = (description: string) => string(description, { ...nameText, optional: true });

const namespaceText = { minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' };

/** The name of a namespace. */
export const namespaceName = (description: string) => string(description, namespaceText);

/** Like {@link namespaceName}, for a field that can be absent. */
export const optionalNamespaceName = (description: string) => string(description, { ...namespaceText, optional: true });

const hostPart = '[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?';
const ipv6 = '\\[[a-fA-F0-9:]+\\]';
/** The first part of a name is a registry only if it has a dot or a port, or is localhost. */
const registry = `(${hostPart}([.]${hostPart})+|localhost|${ipv6})(:[0-9]+)?|${hostPart}:[0-9]+`;
const imagePart = '[a-z0-9]+(([.]|_|__|-+)[a-z0-9]+)*';
const imageTag = ':[A-Za-z0-9_][-A-Za-z0-9_.]{0,127}';
const imageDigest = '@[A-Za-z][A-Za-z0-9]*([-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';

/**
 * The limits of a container image. The kubelet accepts no other names: it would never start the Pod.
 * @see https://pkg.go.dev/github.com/distribution/reference#hdr-Grammar
 */
export const imageText = {
  minLength: 1,
  maxLength: 1024,
  rules: [
    matching(
      `^((${registry})/)?${imagePart}(/${imagePart})*(${imageTag})?(${imageDigest})?$`,
      'must be the name of an image in lower case, with an optional registry, tag and digest, such as registry.example.com/team/server:1.0.0',
    ),
  ],
};
