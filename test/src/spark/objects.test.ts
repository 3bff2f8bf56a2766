import { describe, expect, it } from 'vitest';
import { sparkAppId, sparkAppOf, sparkDriverName, sparkDriverNamed, sparkRevision } from '../../../src/index.js';
import { attemptOf, type Rendered, secretOf, sharedObjects, specOf } from './given-attempt.js';

const find = (kind: string) => sharedObjects().find((one) => one.kind === kind);
const container = (pod: Rendered) => pod.spec.containers[0];

describe('the Pods of a SparkJob', () => {
  it.each([
    ['driver', attemptOf().driver],
    ['executor', attemptOf().executor],
  ])('keep to the restricted level of Pod Security, with a read-only root file system: the %s', (_, pod) => {
    expect(pod.spec.securityContext).toMatchObject({
      ...{ runAsNonRoot: true, runAsUser: 185, runAsGroup: 185, fsGroup: 185 },
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container(pod).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    });
    expect(pod.spec.enableServiceLinks).toBe(false);
    expect(container(pod).terminationMessagePolicy).toBe('FallbackToLogsOnError');
    const paths = container(pod).volumeMounts.map(({ mountPath }: Rendered) => mountPath);
    expect(paths).toEqual(expect.arrayContaining(['/tmp', '/opt/spark/work-dir']));
    const volumes = pod.spec.volumes.map(({ name }: Rendered) => name);
    expect(volumes).toEqual(expect.arrayContaining(container(pod).volumeMounts.map(({ name }: Rendered) => name)));
  });

  it('run the driver once, under a name of its attempt', () => {
    const { driver, config } = attemptOf();
    expect([driver.metadata.name, config.metadata.name]).toEqual(['clean-1-2-driver', 'clean-1-2']);
    expect(driver.spec.restartPolicy).toBe('Never');
    expect(config.immutable).toBe(true);
    expect(driver.spec.volumes.find(({ name }: Rendered) => name === 'job').configMap.name).toBe('clean-1-2');
    expect(driver.metadata.labels).toMatchObject({
      'reconstruct.dev/spark-job': 'clean',
      'reconstruct.dev/spark-role': 'driver',
    });
  });

  it('start the program as the official image does, with each dollar of users as it is', () => {
    const main = 'local:///app/clean.jar';
    const { driver } = attemptOf({ main, mainClass: 'com.example.Outer$$Inner', args: ['--day', '$(HOME)', '$5', ''] });
    expect(container(driver).args).toEqual([
      ...['driver', '--properties-file', '/opt/spark/job/spark.properties'],
      ...['--conf', 'spark.driver.host=$(SPARK_DRIVER_BIND_ADDRESS)', '--class', 'com.example.Outer$$$$Inner'],
      ...[main, '--day', '$$(HOME)', '$$5', ''],
    ]);
    expect(container(attemptOf().driver).args).not.toContain('--class');
  });

  it('know the address of the driver from its Pod, and show a SparkContext by the readiness of the driver', () => {
    const { driver } = attemptOf();
    expect(container(driver).env).toContainEqual({
      name: 'SPARK_DRIVER_BIND_ADDRESS',
      valueFrom: { fieldRef: { fieldPath: 'status.podIP' } },
    });
    expect(container(driver).readinessProbe.tcpSocket).toEqual({ port: 7079 });
  });

  it('have rights in the driver alone', () => {
    const { driver, executor } = attemptOf();
    expect(driver.spec.serviceAccountName).toBe('clean-spark');
    expect(driver.spec.automountServiceAccountToken).not.toBe(false);
    expect(executor.spec.automountServiceAccountToken).toBe(false);
  });

  it('have the image of the release, or the one of the spec', () => {
    const imageOf = (input: object) => {
      const { driver, properties } = attemptOf(input);
      expect(properties['spark.kubernetes.container.image']).toBe(container(driver).image);
      return container(driver).image;
    };
    expect(imageOf({})).toBe('registry.alien6.io/reconstruct/spark:4.3.0');
    expect(imageOf({ version: '3.5' })).toBe('registry.alien6.io/reconstruct/spark:3.5.9');
    expect(imageOf({ image: 'registry/spark:mine' })).toBe('registry/spark:mine');
  });

  it('take what their Pod templates add, each its own', () => {
    const template = (value: string) => ({
      podTemplate: { labels: { team: value }, env: [{ name: 'TEAM', value }], nodeSelector: { pool: value } },
    });
    const { driver, executor } = attemptOf({ driver: template('a'), executors: template('b') });
    for (const [pod, value] of [
      [driver, 'a'],
      [executor, 'b'],
    ]) {
      expect(pod.metadata.labels).toMatchObject({ team: value, 'reconstruct.dev/spark-job': 'clean' });
      expect(container(pod).env).toContainEqual({ name: 'TEAM', value });
      expect(pod.spec.nodeSelector).toEqual({ pool: value });
    }
  });

  it('spread executors over nodes, and a template replaces that', () => {
    const [constraint] = attemptOf().executor.spec.topologySpreadConstraints;
    expect(constraint).toMatchObject({ topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' });
    const topologySpreadConstraints = [{ maxSkew: 2, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule' }];
    const { executor } = attemptOf({ executors: { podTemplate: { topologySpreadConstraints } } });
    expect(executor.spec.topologySpreadConstraints).toMatchObject(topologySpreadConstraints);
  });

  it('have no memory, image or port of executors in their template, which Spark sets', () => {
    expect(Object.keys(container(attemptOf().executor)).toSorted()).toEqual(
      ['env', 'name', 'securityContext', 'terminationMessagePolicy', 'volumeMounts'].toSorted(),
    );
  });
});

describe('the secret of a SparkJob', () => {
  it('is a file of the driver, and a variable of executors in the form that they expect', () => {
    const { data } = secretOf('s3cret');
    const text = (key: string) => Buffer.from(data[key], 'base64').toString();
    expect(text('secret')).toBe('s3cret');
    expect(Buffer.from(text('encoded'), 'base64').toString()).toBe('s3cret');
    const { driver, executor, properties } = attemptOf();
    const items = [{ key: 'secret', path: 'secret' }];
    expect(driver.spec.volumes).toContainEqual({ name: 'auth', secret: { secretName: 'clean-spark-auth', items } });
    expect(container(executor).env).toContainEqual({
      name: '_SPARK_AUTH_SECRET',
      valueFrom: { secretKeyRef: { name: 'clean-spark-auth', key: 'encoded' } },
    });
    expect(properties).toMatchObject({
      'spark.authenticate': 'true',
      'spark.authenticate.secret.driver.file': '/opt/spark/auth/secret',
      'spark.authenticate.secret.executor.file': '/opt/spark/auth/secret',
    });
  });
});

describe('the objects that attempts share', () => {
  it('are the permissions of the driver, and a NetworkPolicy', () => {
    expect(sharedObjects().map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      ...['ServiceAccount clean-spark', 'Role clean-spark', 'RoleBinding clean-spark', 'NetworkPolicy clean-spark'],
    ]);
  });

  it.each([
    { when: 'their number is fixed', isDynamic: false, verbs: ['create', 'get', 'list', 'patch', 'watch'] },
    {
      when: 'their number follows the load',
      isDynamic: true,
      verbs: ['create', 'deletecollection', 'get', 'list', 'patch', 'watch'],
    },
  ])('let the driver do with executors what Spark does, and nothing else, when $when', ({ isDynamic, verbs }) => {
    const [role] = sharedObjects({ isDynamic }).filter(({ kind }) => kind === 'Role');
    const { rules } = role;
    expect(rules.map((rule: Rendered) => ({ ...rule, verbs: rule.verbs.toSorted() }))).toEqual([
      { apiGroups: [''], resources: ['pods'], verbs },
    ]);
    expect(find('RoleBinding')).toMatchObject({
      roleRef: { kind: 'Role', name: 'clean-spark' },
      subjects: [{ kind: 'ServiceAccount', name: 'clean-spark', namespace: 'data' }],
    });
  });

  it('open the Pods of the job to each other alone', () => {
    const { podSelector, ingress, policyTypes } = find('NetworkPolicy').spec;
    expect(policyTypes).toEqual(['Ingress']);
    expect(ingress).toEqual([
      { from: [{ podSelector }], ports: [7078, 7079].map((port) => ({ port, protocol: 'TCP' })) },
    ]);
    const { driver, executor } = attemptOf();
    for (const pod of [driver, executor]) expect(pod.metadata.labels).toMatchObject(podSelector.matchLabels);
  });
});

describe('the names of a SparkJob', () => {
  it.each(['1st', 'a.b', `c${'x'.repeat(45)}`, 'Clean'])('are refused if Pods cannot have them: %s', (name) => {
    expect(() => attemptOf({}, { name })).toThrow('must have up to 45 lower-case letters, digits and -');
  });

  it('fit, however often a long one is run', () => {
    const name = `c${'x'.repeat(44)}`;
    const { driver, properties } = attemptOf({}, { name, ref: { run: 9_999, attempt: 99_999 } });
    expect(driver.metadata.name.length).toBeLessThanOrEqual(63);
    expect(properties['spark.app.id']?.length).toBeLessThanOrEqual(63);
  });

  it.each([
    ['clean', 'clean-1-2-driver', { run: 1, attempt: 2 }],
    ['clean', 'clean-12-345-driver', { run: 12, attempt: 345 }],
    ['clean-1', 'clean-1-2-3-driver', { run: 2, attempt: 3 }],
    ['clean', 'clean-1-2-3-driver', undefined],
    ['clean', 'clean-0-1-driver', undefined],
    ['clean', 'clean-1-exec-2', undefined],
    ['clean', 'other-1-2-driver', undefined],
    ['clean', 'clean-1-2-driver-x', undefined],
  ])('of %s find the attempt of Pod %s', (job, pod, ref) => {
    expect(sparkDriverNamed(job, pod)).toEqual(ref);
    if (ref) expect(sparkDriverName(job, ref)).toBe(pod);
  });

  it('find the attempt of an application again, and not one of others', () => {
    const ref = { run: 3, attempt: 14 };
    expect(sparkAppOf(sparkAppId('6f1c-2a', ref))).toEqual({ job: '6f1c2a', ...ref });
    for (const id of ['spark-application-1', 'spark-6f-1', 'spark-6f-0-1', '']) expect(sparkAppOf(id)).toBeUndefined();
  });
});

describe('the revision of a SparkJob', () => {
  const revision = (input: object) => sparkRevision(specOf(input));
  it.each([
    { args: ['x'] },
    { image: 'other:1' },
    { version: '3.5' },
    { main: 'local:///b.py' },
    { main: 'local:///b.jar', mainClass: 'a.B' },
    { driver: { memoryOverhead: '1Gi' } },
    { executors: { replicas: 3 } },
    { config: { 'spark.a': 'b' } },
    { dependencies: { jars: ['local:///a.jar'] } },
  ])('changes with %j, so that the job starts again', (input) => {
    expect(revision(input)).not.toBe(revision({}));
  });

  it.each([
    { retry: { budgets: { run: 9 } } },
    { activeDeadline: '1h' },
    { cleanPods: 'All' },
    { ttlAfterFinished: '1h' },
    { suspend: true },
    { startWithin: '1h', exitWithin: '1h' },
  ])('does not change with %j, which a driver does not depend on', (input) => {
    expect(revision(input)).toBe(revision({}));
  });
});
