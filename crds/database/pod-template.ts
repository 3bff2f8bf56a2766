import { notSet, podTemplate } from '../pod-template/pod-template.js';
import type { Rule } from '../schema/index.js';

const ownUser = 'because the files of the image and of the volumes belong to user and group 999; remove it';

/** `spec.podTemplate` of a Database. */
export const databasePodTemplate = podTemplate({
  description:
    'Settings of the Pods. The fields `env`, `envFrom`, `volumes`, `volumeMounts` and `topologySpreadConstraints`, and affinity to Pods, concern only the instances. All others concern the Pods of backups too.',
  container: 'PostgreSQL',
  reserved: {
    // `cluster-name` and `role` are the labels of Patroni.
    labels: ['cluster-name', 'role'],
    annotations: ['status'],
    env: ['POD_NAME', 'POD_NAMESPACE', 'POD_IP'],
    envPrefixes: ['PATRONI_', 'PG'],
    volumes: [
      'backup-settings',
      'backup-tmp',
      'data',
      'memory',
      'repository',
      'restored',
      'settings',
      'sockets',
      'tmp',
      'token',
    ],
    mountPaths: [
      '/dev/shm',
      '/etc/reconstruct',
      '/run/postgresql',
      '/tmp',
      '/var/lib/pgbackrest',
      '/var/lib/postgresql',
      '/var/run/secrets/kubernetes.io/serviceaccount',
    ],
  },
  spread: '`topologySpreadConstraints` are added to those of `placement`.',
  rules: [
    notSet(
      '.serviceAccountName',
      'because Patroni needs the rights of the ServiceAccount with the name of the Database; annotate that ServiceAccount instead',
    ),
    notSet('.securityContext.runAsUser', ownUser),
    notSet('.securityContext.runAsGroup', ownUser),
    notSet('.securityContext.fsGroup', ownUser),
  ],
});

/** Refuses constraints for the labels over which `placement` spreads the instances. */
export const PLACEMENT_SPREADS: Rule = {
  rule: "!has(self.podTemplate) || !has(self.podTemplate.topologySpreadConstraints) || self.podTemplate.topologySpreadConstraints.all(one, !(one.topologyKey in [self.placement.topologyKey, 'kubernetes.io/hostname']))",
  message:
    'must not have the topologyKey of placement or kubernetes.io/hostname, over which placement spreads the instances; set placement.spread instead',
  fieldPath: '.podTemplate.topologySpreadConstraints',
  holds: ({ placement, podTemplate }: Spread) =>
    (podTemplate?.topologySpreadConstraints ?? []).every(
      ({ topologyKey }) => topologyKey !== placement.topologyKey && topologyKey !== 'kubernetes.io/hostname',
    ),
};

interface Spread {
  readonly placement: { readonly topologyKey: string };
  readonly podTemplate?: { readonly topologySpreadConstraints?: readonly { readonly topologyKey: string }[] };
}
