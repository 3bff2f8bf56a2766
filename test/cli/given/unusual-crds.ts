/** A kind that is unusual in one way: a name for the row, the kind, its schema, and what a resource says and becomes. */
export interface UnusualKind {
  readonly what: string;
  readonly kind: string;
  /** The name of the class. */
  readonly className: string;
  readonly schema: object;
  /** The props of the class, and the fields of the rendered object. */
  readonly props: object;
  readonly rendered: object;
}

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const text = { type: 'string' };
const ofSpec = (properties: object, more: object = {}) => object({ spec: object(properties, more) });
const plain = { schema: ofSpec({ size: text }), props: { spec: { size: 'a' } }, rendered: { spec: { size: 'a' } } };

/** The values of the enum of the kind Choice. */
export const choices: readonly string[] = [
  ...['', "it's", '"', '*/', 'é', 'É', 'a', 'A', 'a[]', '\n', '\\', '1.5', '日本', '$x'],
];

export const unusualKinds: readonly UnusualKind[] = [
  { what: 'a kind in lower case', kind: 'postgresql', className: 'KubePostgresql', ...plain },
  {
    what: 'a kind with a digit before a letter',
    kind: 'K8sRequiredLabels',
    className: 'KubeK8SRequiredLabels',
    ...plain,
  },
  { what: 'a kind with a digit at the end of a word', kind: 'Route53zone', className: 'KubeRoute53Zone', ...plain },
  { what: 'a kind with a hyphen', kind: 'My-Kind', className: 'KubeMyKind', ...plain },
  { what: 'the kind Index', kind: 'Index', className: 'KubeIndex', ...plain },
  { what: 'a kind like another module', kind: 'ResourceMetadata', className: 'KubeResourceMetadata', ...plain },
  { what: 'a kind that starts with the prefix', kind: 'KubeadmConfig', className: 'KubeKubeadmConfig', ...plain },
  {
    what: 'a kind that starts with the prefix and a capital',
    kind: 'KubeControllerManager',
    className: 'KubeKubeControllerManager',
    ...plain,
  },
  {
    what: 'an enum with an empty text, quotes and the end of a comment',
    kind: 'Choice',
    className: 'KubeChoice',
    schema: ofSpec({ one: { ...text, enum: choices } }),
    props: { spec: { one: "it's" } },
    rendered: { spec: { one: "it's" } },
  },
  {
    what: 'an enum of numbers and null',
    kind: 'Level',
    className: 'KubeLevel',
    schema: ofSpec({ one: { type: 'integer', enum: [1, 2] }, other: { ...text, nullable: true, enum: ['a', null] } }),
    props: { spec: { one: 2, other: 'a' } },
    rendered: { spec: { one: 2, other: 'a' } },
  },
  {
    what: 'keys that are no identifiers',
    kind: 'Keyed',
    className: 'KubeKeyed',
    schema: ofSpec({
      ...{
        'foo:bar': text,
        '@type': text,
        $x: text,
        $ref: text,
        $id: text,
        "it's": text,
        'a/b/c': text,
        '3d': text,
        é: text,
      },
      ...{
        'a-b': text,
        aB: text,
        a_b: text,
        build: text,
        default: text,
        'with space': text,
        '*/': text,
        日本: text,
        '': text,
      },
    }),
    props: { spec: { fooBar: '1', type: '2', x: '3', ref: '4', aB: '5', aB2: '6', build_: '7', _3D: '8', itS: '9' } },
    rendered: {
      spec: {
        'foo:bar': '1',
        '@type': '2',
        $x: '3',
        $ref: '4',
        'a-b': '5',
        aB: '6',
        build: '7',
        '3d': '8',
        "it's": '9',
      },
    },
  },
  {
    what: 'keys of objects that are no identifiers',
    kind: 'Nested',
    className: 'KubeNested',
    schema: ofSpec({
      '@type': object({ $ref: object({ 'a:b': text }) }),
      definitions: object({ id: text }),
      properties: object({ type: text }),
    }),
    props: { spec: { type: { ref: { aB: '1' } }, definitions: { id: '2' }, properties: { type: '3' } } },
    rendered: { spec: { '@type': { $ref: { 'a:b': '1' } }, definitions: { id: '2' }, properties: { type: '3' } } },
  },
  {
    what: 'a root that only preserves unknown fields',
    kind: 'Anything',
    className: 'KubeAnything',
    schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    props: { data: { a: 1 }, spec: { b: 2 } },
    rendered: { data: { a: 1 }, spec: { b: 2 } },
  },
  {
    what: 'a root without fields',
    kind: 'Nothing',
    className: 'KubeNothing',
    schema: { type: 'object' },
    props: {},
    rendered: {},
  },
  {
    what: 'unknown fields beside known ones',
    kind: 'Partly',
    className: 'KubePartly',
    schema: ofSpec({ 'known-one': text }, { 'x-kubernetes-preserve-unknown-fields': true }),
    props: { spec: { knownOne: 'a', other: { b: 1 } } },
    rendered: { spec: { 'known-one': 'a', other: { b: 1 } } },
  },
  {
    what: 'texts that end comments',
    kind: 'Commented',
    className: 'KubeCommented',
    schema: {
      ...ofSpec({ a: { ...text, description: 'Ends */ here.\nDefaults to */.', pattern: '^.*/$', default: '*/' } }),
      description: 'Ends */ here.\r\nThe second line.\u2028The third.',
    },
    props: { spec: { a: 'b' } },
    rendered: { spec: { a: 'b' } },
  },
  {
    what: 'two paths that spell one name',
    kind: 'Twice',
    className: 'KubeTwice',
    schema: ofSpec({ aB: object({ c: object({ first: text }) }), a: object({ bC: object({ second: text }) }) }),
    props: { spec: { aB: { c: { first: '1' } }, a: { bC: { second: '2' } } } },
    rendered: { spec: { aB: { c: { first: '1' } }, a: { bC: { second: '2' } } } },
  },
  {
    what: 'a time, and a number or a text without anyOf',
    kind: 'Timed',
    className: 'KubeTimed',
    schema: ofSpec({
      at: { ...text, format: 'date-time' },
      size: { 'x-kubernetes-int-or-string': true },
      sizes: { type: 'array', items: { 'x-kubernetes-int-or-string': true } },
    }),
    props: { spec: { at: '2030-01-01T00:00:00Z', size: '1Gi', sizes: [1, '2'] } },
    rendered: { spec: { at: '2030-01-01T00:00:00Z', size: '1Gi', sizes: [1, '2'] } },
  },
  {
    what: 'maps and lists of objects, and of lists',
    kind: 'Collected',
    className: 'KubeCollected',
    schema: ofSpec({
      lists: { type: 'array', items: { type: 'array', items: object({ 'a-b': text }) } },
      maps: { type: 'object', additionalProperties: { type: 'object', additionalProperties: object({ 'a-b': text }) } },
    }),
    props: { spec: { lists: [[{ aB: '1' }]], maps: { x: { y: { aB: '2' } } } } },
    rendered: { spec: { lists: [[{ 'a-b': '1' }]], maps: { x: { y: { 'a-b': '2' } } } } },
  },
  {
    what: 'root fields named like the parts of the generated code',
    kind: 'Clash',
    className: 'KubeClash',
    schema: object({
      resource: object({ a: text }),
      kind: text,
      specInput: object({ b: { ...text, default: 'c' } }),
      props: object({ d: text }),
    }),
    props: { resource: { a: '1' }, specInput: { b: '2' }, props: { d: '3' } },
    rendered: { resource: { a: '1' }, specInput: { b: '2' }, props: { d: '3' } },
  },
];

/** The CRD of a row, with a second served version, which has a class of its own. */
export function crdOf({ kind, schema }: UnusualKind): object {
  const plural = `${kind.toLowerCase()}s`;
  const group = 'unusual.example.com';
  const version = (name: string, storage: boolean) => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: schema },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural },
      scope: 'Namespaced',
      versions: [version('v1', true), version('v1beta1', false)],
    },
  };
}
