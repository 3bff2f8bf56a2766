import type { TrainingJobResource } from '../../../../imports/index.js';

/** A ConfigMap or Secret without which the kubelet starts no Pod of a job. */
export interface NeededObject {
  readonly name: string;
  /** Keys that it must have. */
  readonly keys: readonly string[];
}

type Spec = Pick<TrainingJobResource['spec'], 'podTemplate'>;
type Template = NonNullable<Spec['podTemplate']>;
type Volume = NonNullable<Template['volumes']>[number];

/** How variables and volumes name an object. One that is optional may be missing, and so may its keys. */
interface Named {
  readonly name?: string;
  readonly secretName?: string;
  readonly key?: string;
  readonly items?: readonly { readonly key: string }[];
  readonly optional?: boolean;
}

/** PersistentVolumeClaims that must exist: that of the checkpoints, if it is named, and then those of all Pods. */
export function claimNames({
  checkpoint,
  podTemplate,
}: Pick<TrainingJobResource['spec'], 'checkpoint' | 'podTemplate'>): readonly string[] {
  const ofPods = (podTemplate?.volumes ?? []).flatMap((one) => one.persistentVolumeClaim?.claimName ?? []);
  return [...(checkpoint?.claimName === undefined ? [] : [checkpoint.claimName]), ...ofPods];
}

/** The ConfigMaps that the Pods need, in the order of the spec. */
export function neededConfigMaps({ podTemplate = {} }: Spec): readonly NeededObject[] {
  const { env = [], envFrom = [] } = podTemplate;
  return needed([
    ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef),
    ...envFrom.map(({ configMapRef }) => configMapRef),
    ...mounted(podTemplate).flatMap(({ configMap, projected }) => [
      configMap,
      ...(projected?.sources ?? []).map((source) => source.configMap),
    ]),
  ]);
}

/** The Secrets that the Pods need, in the order of the spec. */
export function neededSecrets({ podTemplate = {} }: Spec): readonly NeededObject[] {
  const { env = [], envFrom = [] } = podTemplate;
  return needed([
    ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef),
    ...envFrom.map(({ secretRef }) => secretRef),
    ...mounted(podTemplate).flatMap(({ secret, projected, csi }) => [
      secret,
      csi?.nodePublishSecretRef,
      ...(projected?.sources ?? []).map((source) => source.secret),
    ]),
  ]);
}

/** The kubelet ignores a volume that no container mounts. */
function mounted({ volumes = [], volumeMounts = [] }: Template): readonly Volume[] {
  const names = new Set(volumeMounts.map(({ name }) => name));
  return volumes.filter(({ name }) => names.has(name));
}

function needed(references: readonly (Named | undefined)[]): readonly NeededObject[] {
  return references.flatMap((one) => {
    const name = one?.name ?? one?.secretName;
    if (!one || name === undefined || one.optional) return [];
    const keys = [...(one.key === undefined ? [] : [one.key]), ...(one.items ?? []).map(({ key }) => key)];
    return [{ name, keys }];
  });
}
