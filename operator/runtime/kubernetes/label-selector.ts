type Labels = Readonly<Record<string, string>>;

/** A selector of objects by their labels. @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors */
export interface LabelSelector {
  readonly matchLabels?: Labels | undefined;
  readonly matchExpressions?:
    | readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] | undefined }[]
    | undefined;
}

/** Whether a selector selects an object with these labels. An empty selector selects every object. */
export function selectsLabels({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Labels): boolean {
  const labelled = (key: string) => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  const isLabelled = Object.entries(matchLabels).every(([key, value]) => labelled(key) === value);
  return isLabelled && matchExpressions.every((one) => meets(one, labelled(one.key)));
}

type Requirement = NonNullable<LabelSelector['matchExpressions']>[number];

/** As in Kubernetes, `NotIn` also selects objects without the label. */
function meets({ operator, values = [] }: Requirement, value: string | undefined): boolean {
  if (operator === 'Exists') return value !== undefined;
  if (operator === 'DoesNotExist') return value === undefined;
  const isAmong = value !== undefined && values.includes(value);
  return operator === 'In' ? isAmong : !isAmong;
}
