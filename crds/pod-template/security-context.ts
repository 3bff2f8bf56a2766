import { boolean, enumeration, integer, list, object, type Rule, string } from '../schema/index.js';

const restricted = 'because the Pods meet the Pod Security level restricted';

const id = (description: string, minimum: number) =>
  integer(description, { format: 'int64', minimum, maximum: 2_147_483_647, optional: true });

/** A profile of the node, or that of the container runtime. */
const profile = (what: string) => {
  const hasItsProfile: Rule = {
    rule: "has(self.localhostProfile) == (self.type == 'Localhost')",
    message: 'must have localhostProfile with type Localhost, and only then; set or remove localhostProfile',
    holds: ({ type, localhostProfile }: { readonly type: string; readonly localhostProfile?: string }) =>
      (localhostProfile !== undefined) === (type === 'Localhost'),
  };
  return object(
    `${what} profile of the containers.`,
    {
      type: string('Source of the profile: `RuntimeDefault`, or `Localhost` for a profile of the node.', {
        maxLength: 32,
        rules: [
          {
            rule: "self in ['RuntimeDefault', 'Localhost']",
            message: `must be RuntimeDefault or Localhost, ${restricted}; use RuntimeDefault, or Localhost with a profile of the node`,
            holds: (type: string) => ['RuntimeDefault', 'Localhost'].includes(type),
          },
        ],
      }),
      localhostProfile: string('Profile on the node, for the type `Localhost`.', {
        minLength: 1,
        maxLength: 253,
        optional: true,
      }),
    },
    { optional: true, rules: [hasItsProfile] },
  );
};

const seLinuxOptions = object(
  'SELinux label of the containers. Defaults to one that the container runtime chooses.',
  {
    type: enumeration(
      'Type of the label.',
      ['container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t'],
      { optional: true },
    ),
    level: string('Level of the label, such as `s0:c123,c456`.', { minLength: 1, maxLength: 253, optional: true }),
  },
  { optional: true },
);

const sysctls = list(
  'Kernel parameters of the Pods that Kubernetes considers safe. Defaults to none.',
  object('Kernel parameter.', {
    name: enumeration('Name of the parameter.', [
      'kernel.shm_rmid_forced',
      'net.ipv4.ip_local_port_range',
      'net.ipv4.ip_local_reserved_ports',
      'net.ipv4.ip_unprivileged_port_start',
      'net.ipv4.ping_group_range',
      'net.ipv4.tcp_fin_timeout',
      'net.ipv4.tcp_keepalive_intvl',
      'net.ipv4.tcp_keepalive_probes',
      'net.ipv4.tcp_keepalive_time',
      'net.ipv4.tcp_syncookies',
    ]),
    value: string('Value of the parameter.', { maxLength: 253 }),
  }),
  { maxItems: 16, optional: true },
);

/**
 * `podTemplate.securityContext`. Each value that it takes is within the Pod Security level `restricted`.
 * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
 */
export const securityContext = object(
  'Security context of the Pods, within the limits of the Pod Security level `restricted`.',
  {
    runAsUser: integer(
      'User ID of the containers, other than 0. Defaults to the user of the image, which must then be a number other than 0.',
      {
        format: 'int64',
        minimum: 0,
        maximum: 2_147_483_647,
        optional: true,
        rules: [
          {
            rule: 'self != 0',
            message: `must not be 0, which is root, ${restricted}; use the user ID of the image, such as 1000`,
            holds: (user: number) => user !== 0,
          },
        ],
      },
    ),
    runAsGroup: id('Primary group ID of the containers. Defaults to the group of the image.', 0),
    runAsNonRoot: boolean('Whether the containers must run as a user other than root. Defaults to true.', {
      optional: true,
      rules: [
        {
          rule: 'self',
          message: `must be true, ${restricted}; remove the field, and use an image with a numeric user other than 0`,
          holds: (is: boolean) => is,
        },
      ],
    }),
    fsGroup: id('Group ID that owns the volumes. Defaults to the owner that each volume has.', 0),
    fsGroupChangePolicy: enumeration(
      'Whether the owner of each file is changed at each start. Defaults to Always.',
      ['Always', 'OnRootMismatch'],
      { optional: true },
    ),
    supplementalGroups: list(
      'Further group IDs of the containers. Defaults to none.',
      integer('Group ID.', { format: 'int64', minimum: 0, maximum: 2_147_483_647 }),
      { maxItems: 64, optional: true },
    ),
    seccompProfile: profile('Seccomp'),
    appArmorProfile: profile('AppArmor'),
    seLinuxOptions,
    sysctls,
  },
  { optional: true },
);
