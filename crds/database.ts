import { backup, finalSnapshot } from './database/backup.js';
import { bootstrap } from './database/bootstrap.js';
import { defaultPostgresResources } from './database/default-resources.js';
import { DATABASE_NAME, longestName } from './database/names.js';
import { parameters } from './database/parameters.js';
import { databasePodTemplate, PLACEMENT_SPREADS } from './database/pod-template.js';
import { databaseStatus } from './database/status.js';
import { storage } from './database/storage.js';
import { imageText } from './fields/names.js';
import { requestsAndLimits, resourceRules } from './fields/resources.js';
import { defineKind, enumeration, integer, object, type Rule, string } from './schema/index.js';

const resources = object('Resources of the PostgreSQL container.', requestsAndLimits(defaultPostgresResources), {
  default: {},
  rules: resourceRules,
});

const synchronous = object(
  'Synchronous replication: replicas that must confirm a commit before it is acknowledged.',
  {
    // Not `Off`: kubectl reads that as the boolean false in YAML.
    mode: enumeration(
      'Whether commits wait for replicas. `Quorum` waits for the number in `replicas`, and `None` waits for no replica. Defaults to Quorum.',
      ['Quorum', 'None'],
      {
        default: 'Quorum',
      },
    ),
    replicas: integer(
      'Number of replicas that must confirm each commit. If fewer are streaming, all of those must confirm. Defaults to 1.',
      {
        minimum: 1,
        maximum: 8,
        default: 1,
      },
    ),
    durability: enumeration(
      'Behavior if no replica can confirm writes. With `Required`, writes wait. With `Preferred`, writes continue, and the condition `Replicated` reports it. Defaults to Required.',
      ['Required', 'Preferred'],
      { default: 'Required' },
    ),
  },
  { default: {} },
);

const placement = object(
  'Placement of the instances.',
  {
    topologyKey: string('Node label by which instances are spread. Defaults to topology.kubernetes.io/zone.', {
      minLength: 1,
      maxLength: 317,
      pattern: '^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$',
      default: 'topology.kubernetes.io/zone',
    }),
    spread: enumeration(
      'Behavior if no separate place is available for an instance. With `Required`, the instance waits. With `Preferred`, it shares a place, and the condition `Placed` reports it. Defaults to Preferred.',
      ['Required', 'Preferred'],
      { default: 'Preferred' },
    ),
  },
  { default: {} },
);

const QUORUM_CAN_BE_MET: Rule = {
  // The rule of `replicas` already reports 0.
  rule: "self.replicas < 1 || self.synchronous.mode == 'None' || self.replicas > self.synchronous.replicas",
  message:
    'must be more than synchronous.replicas; raise replicas, lower synchronous.replicas, or set synchronous.mode to None',
  messageExpression:
    "'replicas %d must leave at least %d beside the primary to confirm commits; raise replicas, lower synchronous.replicas, or set synchronous.mode to None'.format([self.replicas, self.synchronous.replicas])",
  fieldPath: '.replicas',
};

const SNAPSHOT_HAS_A_PLACE: Rule = {
  rule: "self.deletionPolicy != 'Snapshot' || has(self.backup)",
  message: 'must be set if deletionPolicy is Snapshot; set backup.target, or set deletionPolicy to Retain or Delete',
  reason: 'FieldValueRequired',
  fieldPath: '.backup',
};

/** The desired state of a Database. */
export const databaseSpec = object(
  'Desired state of the Database.',
  {
    version: enumeration('Major version of PostgreSQL. Defaults to 15.', ['15'], { default: '15' }),
    image: string('Container image of the instances. Defaults to the image that the operator has for `version`.', {
      ...imageText,
      optional: true,
    }),
    replicas: integer('Number of instances, including the primary. Defaults to 3.', {
      maximum: 9,
      default: 3,
      rules: [
        {
          rule: 'self >= 1',
          message: 'must be at least 1, so that an instance keeps the data; use 1 or more, or delete the Database',
        },
      ],
    }),
    storage,
    resources,
    parameters,
    synchronous,
    placement,
    podTemplate: databasePodTemplate,
    bootstrap,
    backup,
    deletionPolicy: enumeration(
      'Data on deletion of the Database. `Snapshot` first creates and verifies a last backup, `Retain` keeps the volumes, and `Delete` deletes everything. Defaults to Snapshot.',
      ['Snapshot', 'Retain', 'Delete'],
      { default: 'Snapshot' },
    ),
    finalSnapshot,
  },
  { rules: [QUORUM_CAN_BE_MET, SNAPSHOT_HAS_A_PLACE, PLACEMENT_SPREADS] },
);

/** The kind Database: a replicated PostgreSQL. */
export const database = defineKind({
  group: 'reconstruct.dev',
  kind: 'Database',
  shortNames: ['db'],
  categories: ['reconstruct'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'Replicated PostgreSQL database.',
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
          message: `must have a name that its Services can have; use up to ${longestName} lower-case letters, digits and -, starting with a letter`,
        },
        {
          rule: '!has(self.spec.bootstrap.restore) || !has(self.spec.bootstrap.restore.from.database) || self.spec.bootstrap.restore.from.database != self.metadata.name',
          message: 'must be another Database; give the new Database a name that differs from the old one',
          fieldPath: '.spec.bootstrap.restore.from.database',
        },
      ],
      columns: [
        {
          name: 'Ready',
          type: 'string',
          jsonPath: '.status.ready',
          description: 'Ready instances out of the desired instances.',
        },
        {
          name: 'Primary',
          type: 'string',
          jsonPath: '.status.primary',
          description: 'Instance that accepts writes.',
        },
        { name: 'Version', type: 'string', jsonPath: '.status.version', description: 'Version of PostgreSQL.' },
        {
          name: 'Backup',
          type: 'date',
          jsonPath: '.status.backup.lastVerified',
          description: 'Age of the last backup that was verified by a restore.',
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Status', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
      ],
    },
  ],
});
