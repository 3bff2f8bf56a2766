import type { k8s } from 'cdk8s-plus-27';
import type { DatabaseSpec } from '../../imports/index.js';
import type { Plain } from '../manifest/plain.js';
import { canonicalQuantity } from '../manifest/quantity.js';

/** A volume of `spec.podTemplate`, which has the same schema in every kind. */
type Stated = NonNullable<NonNullable<DatabaseSpec['podTemplate']>['volumes']>[number];

/** A volume of a template in the form that the API server stores: canonical sizes, and no `false` that it leaves out. */
export function podVolume({ emptyDir, ephemeral, persistentVolumeClaim, ...volume }: Stated): Plain<k8s.Volume> {
  return {
    ...volume,
    ...(emptyDir && { emptyDir: sized(emptyDir) }),
    ...(ephemeral && { ephemeral: claimed(ephemeral) }),
    ...(persistentVolumeClaim && { persistentVolumeClaim: mounted(persistentVolumeClaim) }),
  } as Plain<k8s.Volume>;
}

function sized({ sizeLimit, ...rest }: NonNullable<Stated['emptyDir']>) {
  return sizeLimit === undefined ? rest : { ...rest, sizeLimit: canonicalQuantity(sizeLimit) };
}

function claimed({ volumeClaimTemplate: { spec } }: NonNullable<Stated['ephemeral']>) {
  const storage = canonicalQuantity(spec.resources.requests.storage);
  return { volumeClaimTemplate: { spec: { ...spec, resources: { requests: { storage } } } } };
}

function mounted({ readOnly, ...rest }: NonNullable<Stated['persistentVolumeClaim']>) {
  return readOnly ? { ...rest, readOnly } : rest;
}
