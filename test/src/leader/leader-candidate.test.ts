import { Chart, Testing } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { launcherAudience, launcherPort } from '../../../operator/controllers/leader/ports/launchers.js';
import { leaderLabel, roleAnnotation, termAnnotation } from '../../../operator/controllers/leader/ports/roles.js';
import {
  type CandidateContainer,
  LeaderCandidate,
  type LeaderCandidateProps,
  leaderAudience,
  leaderLauncherPort,
  leaderPodLabel,
  leaderRoleAnnotation,
  leaderTermAnnotation,
} from '../../../src/index.js';

const given = (props: Partial<LeaderCandidateProps> = {}) => {
  const chart = new Chart(Testing.app(), 'test', { namespace: 'shop' });
  return { chart, candidate: new LeaderCandidate(chart, 'candidate', { election: 'cache', ...props }) };
};
const redis: CandidateContainer & { readonly image: string } = {
  name: 'redis',
  image: 'redis:7.4',
  command: ['redis-server'],
  args: ['--save', ''],
};
const exporterContainer: CandidateContainer = { name: 'exporter' };

describe('a LeaderCandidate', () => {
  it('starts the server of the container by the launcher, and keeps its arguments', () => {
    const { candidate } = given();
    const { spec } = candidate.podTemplate({ spec: { containers: [redis, exporterContainer] } });
    const [server, exporter] = spec.containers;
    expect(server?.command).toEqual(['/reconstruct/leader-launcher', 'run', '--', 'redis-server']);
    expect(server?.args).toEqual(['--save', '']);
    expect(exporter).toEqual(exporterContainer);
  });

  it('passes a file with the password, and never the password', () => {
    const { candidate } = given({ passwordFile: '/secrets/password' });
    const [server] = candidate.podTemplate({ spec: { containers: [redis] } }).spec.containers;
    expect(server?.command?.join(' ')).toContain('run --password-file /secrets/password -- redis-server');
  });

  it('keeps the volumes and init containers of the template', () => {
    const { candidate } = given();
    const template = { spec: { containers: [redis], initContainers: [{ name: 'own' }], volumes: [{ name: 'data' }] } };
    const { initContainers = [], volumes = [] } = candidate.podTemplate(template).spec as typeof template.spec;
    expect(initContainers.map(({ name }) => name)).toEqual(['own', 'leader-launcher']);
    expect(volumes.map(({ name }) => name)).toEqual(['data', 'leader-launcher', 'leader-role', 'leader-token']);
  });

  it.each([
    ['without a command', { name: 'redis' }, {}, 'must have a command'],
    ['of another name', redis, { container: 'server' }, 'has no container server'],
  ])('refuses a container %s', (_, container, props, message) => {
    const { candidate } = given(props);
    expect(() => candidate.podTemplate({ spec: { containers: [container] } })).toThrow(message);
  });

  it('may renew the one Lease of its election, and ask the API server who calls it', () => {
    const { chart } = given();
    const objects = Testing.synth(chart) as readonly { kind: string; rules?: object; roleRef?: { name: string } }[];
    expect(objects.find(({ kind }) => kind === 'Role')?.rules).toEqual([
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: ['cache'], verbs: ['get', 'update'] },
    ]);
    expect(objects.find(({ kind }) => kind === 'ClusterRoleBinding')?.roleRef?.name).toBe('system:auth-delegator');
  });

  it('uses the names that the operator and launchers use', () => {
    expect([leaderRoleAnnotation, leaderTermAnnotation, leaderPodLabel]).toEqual([
      roleAnnotation,
      termAnnotation,
      leaderLabel,
    ]);
    expect([leaderAudience, leaderLauncherPort]).toEqual([launcherAudience, launcherPort]);
  });
});
