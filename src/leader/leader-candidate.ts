import type { ApiObject } from 'cdk8s';
import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';
import type { Manifest } from '../manifest/plain.js';
import { containerSecurityContext } from '../workload/security-context.js';
import { leaderLabels } from './leader-lease.js';
import {
  leaderAudience,
  leaderFolders,
  leaderLauncherImage,
  leaderLauncherPort,
  leaderRoleAnnotation,
  leaderTermAnnotation,
} from './names.js';

/** A container of a Pod template. Other fields stay as they are. */
export interface CandidateContainer {
  readonly name: string;
  /** The program and its arguments, which must be stated: the launcher starts it. */
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly object[];
  readonly ports?: readonly object[];
  readonly volumeMounts?: readonly object[];
  readonly readinessProbe?: object;
}

/** A Pod template in plain JSON. Other fields stay as they are. */
export interface CandidateTemplate {
  readonly metadata?: object;
  readonly spec: {
    readonly containers: readonly CandidateContainer[];
    readonly initContainers?: readonly object[];
    readonly volumes?: readonly object[];
    readonly serviceAccountName?: string;
  };
}

/** Props of {@link LeaderCandidate}. */
export interface LeaderCandidateProps {
  /** The name of the LeaderElection. */
  readonly election: string;
  /** The namespace of the workload. @default - the namespace of the chart */
  readonly namespace?: string;
  /** The name of the ServiceAccount of the Pods. @default - the name of the election with the suffix `-candidate` */
  readonly serviceAccount?: string;
  /** The container that runs the application. @default - the first one */
  readonly container?: string;
  /** A file with the password of the application, such as one of a mounted Secret. @default - no password */
  readonly passwordFile?: string;
  /** @default - the image of this release */
  readonly image?: string;
}

/** The name of the volumes. No volume of the template may have one of them. */
const volumes = { program: 'leader-launcher', role: 'leader-role', token: 'leader-token' } as const;

/** Seconds for which a token is valid. A launcher remembers who has shown a valid one while the API server is away. */
const tokenSeconds = 86_400;

/**
 * What turns the Pods of a workload into candidates of a LeaderElection: a ServiceAccount with its permissions, and the
 * launcher that starts the application.
 *
 * @example
 * const candidate = new LeaderCandidate(this, 'candidate', { election: 'cache' });
 * new KubeStatefulSet(this, 'cache', { …, spec: { …, template: candidate.podTemplate(template) } });
 */
export class LeaderCandidate extends Construct {
  readonly serviceAccount: ApiObject;
  readonly serviceAccountName: string;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: LeaderCandidateProps,
  ) {
    super(scope, id);
    const { election } = props;
    const namespace = props.namespace ?? Chart.of(this).namespace;
    this.serviceAccountName = props.serviceAccount ?? `${election}-candidate`;
    const name = this.serviceAccountName;
    const metadata = { name, ...(namespace !== undefined && { namespace }), labels: leaderLabels(election) };
    const add = (objectId: string, manifest: object) => new KubeObject(this, objectId, manifest as Manifest);
    const rbac = 'rbac.authorization.k8s.io/v1';
    this.serviceAccount = add('service-account', { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
    add('role', {
      ...{ apiVersion: rbac, kind: 'Role', metadata },
      rules: [
        {
          apiGroups: ['coordination.k8s.io'],
          resources: ['leases'],
          resourceNames: [election],
          verbs: ['get', 'update'],
        },
      ],
    });
    const subject = { kind: 'ServiceAccount', name, ...(namespace !== undefined && { namespace }) };
    add('role-binding', {
      ...{ apiVersion: rbac, kind: 'RoleBinding', metadata, subjects: [subject] },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    });
    // Launchers ask the API server who calls them. The two permissions are those of each aggregated API server.
    add('cluster-role-binding', {
      ...{ apiVersion: rbac, kind: 'ClusterRoleBinding', subjects: [subject] },
      metadata: { name: `${namespace ?? 'default'}-${name}`, labels: leaderLabels(election) },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:auth-delegator' },
    });
  }

  /**
   * The template with the launcher.
   * @throws {Error} if it has no such container, or the container has no command
   */
  podTemplate<T extends CandidateTemplate>(template: T): T {
    const { container: wanted = template.spec.containers[0]?.name, image = leaderLauncherImage } = this.props;
    const { spec } = template;
    const found = spec.containers.find(({ name }) => name === wanted);
    if (!found) throw new Error(`the template of election ${this.props.election} has no container ${wanted}`);
    return {
      ...template,
      spec: {
        ...spec,
        serviceAccountName: this.serviceAccountName,
        initContainers: [...(spec.initContainers ?? []), installation(image)],
        containers: spec.containers.map((one) => (one === found ? this.launched(found) : one)),
        volumes: [...(spec.volumes ?? []), ...candidateVolumes],
      },
    };
  }

  private launched(container: CandidateContainer): CandidateContainer {
    const { command = [], args = [] } = container;
    const { election, passwordFile } = this.props;
    if (command.length === 0)
      throw new Error(
        `container ${container.name} of election ${election} must have a command, because the launcher starts it; add it, such as ["redis-server"]`,
      );
    const password = passwordFile === undefined ? [] : ['--password-file', passwordFile];
    return {
      ...container,
      command: [`${leaderFolders.program}/leader-launcher`, 'run', ...password, '--', ...command],
      args,
      env: [...(container.env ?? []), ...identityVariables],
      ports: [...(container.ports ?? []), { name: 'launcher', containerPort: leaderLauncherPort, protocol: 'TCP' }],
      readinessProbe: container.readinessProbe ?? {
        ...{ httpGet: { path: '/healthz', port: leaderLauncherPort }, periodSeconds: 2, timeoutSeconds: 2 },
      },
      volumeMounts: [
        ...(container.volumeMounts ?? []),
        { name: volumes.program, mountPath: leaderFolders.program },
        { name: volumes.role, mountPath: leaderFolders.role, readOnly: true },
        { name: volumes.token, mountPath: leaderFolders.token, readOnly: true },
      ],
    };
  }
}

/** Copies the launcher into the Pod, so that the image of the application stays as it is. */
function installation(image: string) {
  return {
    ...{ name: volumes.program, image, args: ['install', leaderFolders.program] },
    resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { cpu: '100m', memory: '32Mi' } },
    securityContext: containerSecurityContext,
    volumeMounts: [{ name: volumes.program, mountPath: leaderFolders.program }],
  };
}

const fieldOf = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });

const identityVariables = [
  fieldOf('POD_NAME', 'metadata.name'),
  fieldOf('POD_UID', 'metadata.uid'),
  fieldOf('POD_NAMESPACE', 'metadata.namespace'),
  fieldOf('POD_IP', 'status.podIP'),
];

const annotation = (path: string, name: string) => ({
  path,
  fieldRef: { fieldPath: `metadata.annotations['${name}']` },
});

const candidateVolumes = [
  { name: volumes.program, emptyDir: { sizeLimit: '64Mi' } },
  {
    name: volumes.role,
    downwardAPI: { items: [annotation('role', leaderRoleAnnotation), annotation('term', leaderTermAnnotation)] },
  },
  {
    name: volumes.token,
    projected: {
      sources: [{ serviceAccountToken: { path: 'token', audience: leaderAudience, expirationSeconds: tokenSeconds } }],
    },
  },
];
