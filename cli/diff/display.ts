import { isRecord } from '../../operator/runtime/kubernetes/json.js';
import type { LiveMeta } from '../../operator/runtime/kubernetes/object.js';
import { appliedAnnotation } from '../../operator/runtime/kubernetes/well-known-names.js';
import type { Change } from './dry-run.js';

/** An object in the form that is shown to users. */
export type Shown = Readonly<Record<string, unknown>>;

export interface ShownChange {
  readonly before?: Shown;
  readonly after?: Shown;
}

const noise = [appliedAnnotation, 'kubectl.kubernetes.io/last-applied-configuration'];

/**
 * The displayed form of a change. It omits the bookkeeping of the API server and the runtime, and the values of Secrets.
 * For those it shows only whether they change.
 */
export function displayed({ kind, before, after }: Change): ShownChange {
  const cleaned = { before: before && clean(before), after: after && clean(after) };
  const isSecret = kind.group === '' && kind.kind === 'Secret';
  const masked = (side: Shown | undefined, other: Shown | undefined, name: string) =>
    side && (isSecret ? mask(side, other, name) : side);
  const [was, becomes] = [
    masked(cleaned.before, cleaned.after, 'before'),
    masked(cleaned.after, cleaned.before, 'after'),
  ];
  return { ...(was && { before: was }), ...(becomes && { after: becomes }) };
}

function clean(object: object): Shown {
  const { status: _, metadata, ...content } = object as { status?: unknown; metadata: LiveMeta };
  const { name, namespace, labels, annotations = {}, ownerReferences, finalizers } = metadata;
  const kept = Object.fromEntries(Object.entries(annotations).filter(([key]) => !noise.includes(key)));
  const owners = ownerReferences?.map(({ uid: __, ...owner }) => owner);
  return {
    ...content,
    metadata: stated({ name, namespace, labels, annotations: kept, ownerReferences: owners, finalizers }),
  };
}

function stated(fields: Shown): Shown {
  const isEmpty = (value: unknown) => value === undefined || (isRecord(value) && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function mask(secret: Shown, other: Shown | undefined, name: string): Shown {
  const masked = (field: string): Shown => {
    const values = secret[field];
    return values === undefined ? {} : { [field]: maskedValues(values, other?.[field], name) };
  };
  return { ...secret, ...masked('data'), ...masked('stringData') };
}

function maskedValues(values: unknown, others: unknown, name: string): unknown {
  if (!isRecord(values)) return '***';
  const isSame = (key: string) => !isRecord(others) || (Object.hasOwn(others, key) && others[key] === values[key]);
  return Object.fromEntries(Object.keys(values).map((key) => [key, isSame(key) ? '***' : `*** (${name})`]));
}
