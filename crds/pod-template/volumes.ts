import { DNS_SUBDOMAIN, objectName } from '../fields/names.js';
import {
  boolean,
  enumeration,
  integer,
  keyedList,
  list,
  map,
  matching,
  object,
  quantity,
  type Rule,
  string,
} from '../schema/index.js';
import { freePath, freeVolume, type Reserved } from './reserved.js';

/** A path below a folder, without a step up. */
const BELOW_FOLDER = '^([^/.]|[.][^/.]|[.][.][^/])[^/]*(/([^/.]|[.][^/.]|[.][.][^/])[^/]*)*$';

/** A pattern and no rule: the API server limits the cost of rules in lists of lists of lists. */
const relativePath = { minLength: 1, maxLength: 1024, pattern: BELOW_FOLDER } as const;

const mode = (description: string) => integer(description, { minimum: 0, maximum: 0o777, optional: true });
const optionalSource = boolean('Whether the Pods start if the object or a key is missing. Defaults to false.', {
  optional: true,
});
const items = list(
  'Keys to mount, and their files. Defaults to all keys, each in a file of its name.',
  object('Key and its file.', {
    key: string('Key of the object.', { minLength: 1, maxLength: 253, pattern: '^[-._a-zA-Z0-9]+$' }),
    path: string('File below the volume.', relativePath),
    mode: mode('Permissions of the file, as a decimal number. Defaults to `defaultMode`.'),
  }),
  { maxItems: 64, optional: true },
);
const defaultMode = mode('Permissions of the files, as a decimal number. Defaults to 420, which is 0644.');

const downward = list(
  'Fields of the Pod, and their files.',
  object('Field and its file.', {
    path: string('File below the volume.', relativePath),
    fieldRef: object('Field of the Pod.', {
      fieldPath: string("Path of the field, such as `metadata.labels` or `metadata.annotations['app']`.", {
        maxLength: 512,
        pattern: "^metadata\\.(name|namespace|uid|labels|annotations|labels\\['[^']+'\\]|annotations\\['[^']+'\\])$",
      }),
    }),
    mode: mode('Permissions of the file, as a decimal number. Defaults to `defaultMode`.'),
  }),
  { maxItems: 64, optional: true },
);

const exactlyOne = (names: readonly string[], advice: string): Rule => ({
  rule: `[${names.map((name) => `has(self.${name})`).join(', ')}].exists_one(is, is)`,
  message: `must have exactly one source; set one of ${names.join(', ')}${advice}`,
  holds: (value: object) => names.filter((name) => Object.hasOwn(value, name)).length === 1,
});

const projectedSources = {
  configMap: object(
    'ConfigMap in the same namespace.',
    { name: objectName('Name of the ConfigMap.'), items, optional: optionalSource },
    { optional: true },
  ),
  secret: object(
    'Secret in the same namespace.',
    { name: objectName('Name of the Secret.'), items, optional: optionalSource },
    { optional: true },
  ),
  downwardAPI: object('Fields of the Pod.', { items: downward }, { optional: true }),
  serviceAccountToken: object(
    'Token of the ServiceAccount of the Pods.',
    {
      path: string('File below the volume.', relativePath),
      audience: string('Audience of the token. Defaults to the API server.', {
        minLength: 1,
        maxLength: 253,
        optional: true,
      }),
      expirationSeconds: integer('Number of seconds that a token is valid. Defaults to 3600.', {
        format: 'int64',
        minimum: 600,
        maximum: 2 ** 32,
        optional: true,
      }),
    },
    { optional: true },
  ),
};

const className = string('StorageClass of the volume. Defaults to the StorageClass of the cluster.', {
  minLength: 1,
  maxLength: 253,
  pattern: DNS_SUBDOMAIN,
  optional: true,
});

/** The sources that the Pod Security level `restricted` admits, except those for a node's own data. */
const sources = {
  configMap: object(
    'ConfigMap in the same namespace.',
    { name: objectName('Name of the ConfigMap.'), items, defaultMode, optional: optionalSource },
    { optional: true },
  ),
  secret: object(
    'Secret in the same namespace.',
    { secretName: objectName('Name of the Secret.'), items, defaultMode, optional: optionalSource },
    { optional: true },
  ),
  emptyDir: object(
    'Empty folder, which is deleted with the Pod.',
    {
      medium: enumeration('Medium of the folder: `Memory`. Defaults to the disk of the node.', ['Memory'], {
        optional: true,
      }),
      sizeLimit: quantity('Maximum size. Defaults to none.', { optional: true }),
    },
    { optional: true },
  ),
  persistentVolumeClaim: object(
    'PersistentVolumeClaim in the same namespace. All Pods share it.',
    {
      claimName: objectName('Name of the PersistentVolumeClaim.'),
      readOnly: boolean('Whether the volume is read-only. Defaults to false.', { optional: true }),
    },
    { optional: true },
  ),
  ephemeral: object(
    'Volume of each Pod, which is deleted with the Pod.',
    {
      volumeClaimTemplate: object('Template of its PersistentVolumeClaim.', {
        spec: object('Spec of the PersistentVolumeClaim.', {
          accessModes: list(
            'Access modes of the volume.',
            enumeration('Access mode.', ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']),
            { minItems: 1, maxItems: 4 },
          ),
          storageClassName: className,
          resources: object('Size of the volume.', {
            requests: object('Size to request.', { storage: quantity('Size of the volume, such as `10Gi`.') }),
          }),
        }),
      }),
    },
    { optional: true },
  ),
  projected: object(
    'Files of several sources in one folder.',
    {
      sources: list(
        'Sources of the files.',
        object('Source of files.', projectedSources, { rules: [exactlyOne(Object.keys(projectedSources), '')] }),
        { minItems: 1, maxItems: 16 },
      ),
      defaultMode,
    },
    { optional: true },
  ),
  downwardAPI: object('Fields of the Pod as files.', { items: downward, defaultMode }, { optional: true }),
  csi: object(
    'Volume of a CSI driver, which is deleted with the Pod.',
    {
      driver: string('Name of the driver, such as `secrets-store.csi.k8s.io`.', {
        minLength: 1,
        maxLength: 63,
        pattern: DNS_SUBDOMAIN,
      }),
      readOnly: boolean('Whether the volume is read-only. Defaults to false.', { optional: true }),
      fsType: string('File system of the volume. Defaults to that of the driver.', {
        minLength: 1,
        maxLength: 63,
        optional: true,
      }),
      volumeAttributes: map('Attributes for the driver.', string('Value of the attribute.', { maxLength: 4096 }), {
        maxProperties: 64,
        optional: true,
      }),
      nodePublishSecretRef: object(
        'Secret in the same namespace for the driver.',
        { name: objectName('Name of the Secret.') },
        { optional: true },
      ),
    },
    { optional: true },
  ),
};

/** Objects of which each key is a file. */
const wholeObjects = {
  configMap: object(
    'ConfigMap in the same namespace. Each of its keys is a file.',
    { name: objectName('Name of the ConfigMap.'), optional: optionalSource },
    { optional: true },
  ),
  secret: object(
    'Secret in the same namespace. Each of its keys is a file.',
    { secretName: objectName('Name of the Secret.'), optional: optionalSource },
    { optional: true },
  ),
};

const nameOfVolume = { minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' } as const;

const volumes = 'Volumes of the Pods, in addition to those of the operator. Defaults to none.';
const volume = 'Volume with exactly one source.';
const limits = { maxItems: 32, optional: true } as const;

function volumeName(reserved: Reserved) {
  return string('Name of the volume.', { ...nameOfVolume, rules: freeVolume(reserved) });
}

/** `podTemplate.volumes` of a kind. */
export function volumesOf(reserved: Reserved) {
  const advice = ', because the Pod Security level restricted admits no other sources, such as hostPath';
  const rules = [exactlyOne(Object.keys(sources), advice)];
  return keyedList(volumes, ['name'], object(volume, { name: volumeName(reserved), ...sources }, { rules }), limits);
}

/** `podTemplate.volumes` of a Job: those that the Pods of people most often have. */
export function jobVolumesOf(reserved: Reserved) {
  const few = { ...wholeObjects, emptyDir: sources.emptyDir };
  const rules = [exactlyOne(Object.keys(few), '')];
  return keyedList(volumes, ['name'], object(volume, { name: volumeName(reserved), ...few }, { rules }), limits);
}

/** `podTemplate.volumeMounts` of a kind. */
export function volumeMountsOf(reserved: Reserved) {
  return keyedList(
    'Mounts of `volumes` in the main container. Defaults to none.',
    ['mountPath'],
    object('Mount of a volume.', {
      name: string('Name of the volume in `volumes`.', nameOfVolume),
      mountPath: string('Absolute path of the mount, such as `/models`.', {
        minLength: 2,
        maxLength: 512,
        rules: [
          matching(
            '^(/([^/:.]|[.][^/:.]|[.][.][^/:])[^/:]*)+$',
            'must be an absolute path without a colon, and without . or .. as a part, such as /models',
          ),
          ...freePath(reserved),
        ],
      }),
      readOnly: boolean('Whether the mount is read-only. Defaults to false.', { optional: true }),
      subPath: string('File or folder of the volume to mount. Defaults to the whole volume.', {
        ...relativePath,
        optional: true,
      }),
    }),
    { maxItems: 32, optional: true },
  );
}
