import type { JsonMap } from '../logic/tree.js';

// Helm checks patterns with Go's regular expressions, which have no look-ahead.
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** A text, or the empty text. */
export const text: JsonMap = { type: 'string' };

/** A boolean. */
export const boolean: JsonMap = { type: 'boolean' };

/** The name of the operator. */
export const operatorName: JsonMap = { type: 'string', pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', maxLength: 40 };

/** A namespace. */
export const namespace: JsonMap = { type: 'string', pattern: `^${label}$`, maxLength: 63 };

/** The name of a Secret or PriorityClass, or the empty text. */
export const objectName: JsonMap = { type: 'string', pattern: `^(${label}(\\.${label})*)?$`, maxLength: 253 };

/** The name of a Secret. */
export const secretName: JsonMap = { type: 'string', pattern: `^${label}(\\.${label})*$`, maxLength: 253 };

/** An image, or the empty text. */
export const image: JsonMap = { type: 'string', pattern: '^[A-Za-z0-9._/:@-]*$' };

/** A registry with an optional path, or the empty text. */
export const imageRegistry: JsonMap = {
  type: 'string',
  pattern: '^([a-z0-9][-a-z0-9._]*(:[0-9]+)?(/[a-z0-9][-a-z0-9._]*)*)?$',
};

/** A list. */
export function listOf(items: JsonMap): JsonMap {
  return { type: 'array', items };
}

/** A map of texts. */
export const textMap: JsonMap = { type: 'object', additionalProperties: { type: 'string' } };

/** Labels without those that the installation and Helm set. */
export const labels: JsonMap = {
  ...textMap,
  patternProperties: {
    '^app\\.kubernetes\\.io/(name|instance|version|managed-by)$': false,
    '^reconstruct\\.dev/': false,
    '^helm\\.sh/': false,
  },
};

/** Annotations without those that Helm reads. */
export const annotations: JsonMap = { ...textMap, patternProperties: { '^helm\\.sh/': false } };

/** One of some texts. */
export function oneOf(...texts: readonly string[]): JsonMap {
  return { enum: texts };
}

/** An object with fields of Kubernetes, which the API server checks. */
export const object: JsonMap = { type: 'object' };

/** Volumes, which the API server checks, without those that the installation and the Pod Security level exclude. */
export const volumes: JsonMap = listOf({
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', not: { const: 'metrics-tls' } } },
  not: { required: ['hostPath'] },
});

/** A duration of Prometheus, or the empty text. */
export const duration: JsonMap = { type: 'string', pattern: '^([0-9]+(ms|s|m|h|d|w|y))*$' };

/** A URL, or the empty text. */
export const url: JsonMap = { type: 'string', pattern: '^(https?://.+)?$' };
