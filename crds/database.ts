import { backup, finalSnapshot } from './database/backup.js';
import { bootstrap } from './database/bootstrap.js';
import { DATABASE_NAME, longestName } from './database/names.js';
import { parameters } from './database/parameters.js';
import { databaseStatus } from './database/status.js';
import { storage } from './database/storage.js';
import { imageText } from './names.js';
import { imagePullSecrets, nodeSelector, tolerations } from './scheduling.js';
import { defineKind, enumeration, integer, object, quantity, type Rule, string } from './schema/index.js';

const amounts = (description: string) =>
  object(
    description,
    {
      cpu: quantity('CPU cores, as `500m` or `2`.', {
        message: 'is no amount of CPU; write it as 500m or 2',
        optional: true,
      }),
      memory: quantity('Memory, as `1Gi`.', {
        message: 'is no amount of memory; write it as 512Mi or 1Gi',
        optional: true,
      }),
    },
    { optional: true },
  );

const AMOUNTS = ['requests', 'limits'] as const;

/** A request above its limit, which no node admits. What is no amount is told by itself alone. */
const inOrder = (resource: 'cpu' | 'memory'): Rule => ({
  rule: `${AMOUNTS.map((of) => `!has(self.${of}) || !has(self.${of}.${resource}) || !isQuantity(string(self.${of}.${resource}))`).join(' || ')} || quantity(string(self.requests.${resource})).compareTo(quantity(string(self.limits.${resource}))) <= 0`,
  message: `requests more ${resource} than its limit; lower requests.${resource} or raise limits.${resource}`,
  fieldPath: `.requests.${resource}`,
});

const resources = object(
  "Requests and limits of PostgreSQL's container. By default 100m of CPU and 256Mi of memory are requested, and nothing is limited.",
  { requests: amounts('What a node must have free.'), limits: amounts('What is used at the most.') },
  { default: {}, rules: [inOrder('cpu'), inOrder('memory')] },
);

const synchronous = object(
  'Who must have a row before its commit is acknowledged.',
  {
    // Not `Off`: YAML as kubectl reads it takes that for the boolean false.
    mode: enumeration('Whether commits wait for replicas: for a quorum of them, or for none.', ['Quorum', 'None'], {
      default: 'Quorum',
    }),
    replicas: integer('So many replicas confirm each commit; where fewer stream, those that do.', {
      minimum: 1,
      maximum: 8,
      default: 1,
    }),
    durability: enumeration(
      'Without any replica to confirm them, writes wait (Required), or go on, and the condition Replicated says so (Preferred).',
      ['Required', 'Preferred'],
      { default: 'Required' },
    ),
  },
  { default: {} },
);

const placement = object(
  'Where the instances run, and the pods of their backups.',
  {
    topologyKey: string('The label of nodes by which instances are kept apart.', {
      minLength: 1,
      maxLength: 317,
      pattern: '^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$',
      default: 'topology.kubernetes.io/zone',
    }),
    spread: enumeration(
      'Whether an instance that finds no place of its own waits for one (Required), or shares one, and the condition Placed says so (Preferred).',
      ['Required', 'Preferred'],
      { default: 'Preferred' },
    ),
    nodeSelector,
    tolerations,
  },
  { default: {} },
);

const QUORUM_CAN_BE_MET: Rule = {
  // Of none at all the rule of `replicas` tells enough.
  rule: "self.replicas < 1 || self.synchronous.mode == 'None' || self.replicas > self.synchronous.replicas",
  message:
    'has too few instances for its quorum; raise replicas, lower synchronous.replicas, or set synchronous.mode to None',
  messageExpression:
    "'replicas %d leaves fewer than %d beside the primary, so no commit could be confirmed; raise replicas, lower synchronous.replicas, or set synchronous.mode to None'.format([self.replicas, self.synchronous.replicas])",
  fieldPath: '.replicas',
};

const SNAPSHOT_HAS_A_PLACE: Rule = {
  rule: "self.deletionPolicy != 'Snapshot' || has(self.backup)",
  message:
    'has deletionPolicy Snapshot and no place for the snapshot; set backup.target, or deletionPolicy to Retain or Delete',
  reason: 'FieldValueRequired',
  fieldPath: '.backup',
};

/** The desired state of a Database. */
export const databaseSpec = object(
  'What should run.',
  {
    version: enumeration('The major version of PostgreSQL.', ['15'], { default: '15' }),
    image: string("The image of the instances, in place of the operator's own for `version`.", {
      ...imageText,
      optional: true,
    }),
    imagePullSecrets,
    replicas: integer('Instances, the primary included.', {
      maximum: 9,
      default: 3,
      rules: [
        {
          rule: 'self >= 1',
          message: 'leaves no instance to keep the data; use 1 or more, or delete the Database',
        },
      ],
    }),
    storage,
    resources,
    parameters,
    synchronous,
    placement,
    bootstrap,
    backup,
    deletionPolicy: enumeration(
      'What a deletion does with the data: a last backup is made and verified first, or the volumes stay, or all goes.',
      ['Snapshot', 'Retain', 'Delete'],
      { default: 'Snapshot' },
    ),
    finalSnapshot,
  },
  { rules: [QUORUM_CAN_BE_MET, SNAPSHOT_HAS_A_PLACE] },
);

/** A replicated PostgreSQL. */
export const database = defineKind({
  group: 'reconstruct.dev',
  kind: 'Database',
  shortNames: ['db'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'A replicated PostgreSQL.',
      spec: databaseSpec,
      status: databaseStatus,
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
      rules: [
        {
          rule: `self.metadata.name.size() <= ${longestName} && self.metadata.name.matches('${DATABASE_NAME}')`,
          message: `has a name that its Services cannot have; use up to ${longestName} lower-case letters, digits and -, a letter first`,
        },
        {
          rule: '!has(self.spec.bootstrap.restore) || !has(self.spec.bootstrap.restore.from.database) || self.spec.bootstrap.restore.from.database != self.metadata.name',
          message: 'is restored from itself; give the new Database another name than the old one',
          fieldPath: '.spec.bootstrap.restore.from.database',
        },
      ],
      columns: [
        {
          name: 'Ready',
          type: 'string',
          jsonPath: '.status.ready',
          description: 'Instances that are ready, of those that there are to be.',
        },
        {
          name: 'Primary',
          type: 'string',
          jsonPath: '.status.primary',
          description: 'The instance that takes writes.',
        },
        { name: 'Version', type: 'string', jsonPath: '.status.version', description: 'The version of PostgreSQL.' },
        {
          name: 'Backup',
          type: 'date',
          jsonPath: '.status.backup.lastVerified',
          description: 'The age of the last backup that was restored and found good.',
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Status', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
      ],
    },
  ],
});
