import { describe, expect, it } from 'vitest';
import { attemptOf } from './given-attempt.js';

const limit = (memory: string, more: object = {}) => ({ resources: { limits: { memory } }, ...more });

describe('the properties of Spark', () => {
  it('connect the driver with the cluster and its executors, whatever the spec says', () => {
    expect(attemptOf().properties).toMatchObject({
      'spark.master': 'k8s://https://kubernetes.default.svc',
      'spark.submit.deployMode': 'client',
      'spark.app.id': 'spark-6f1c2a0000004000800000000000abcd-1-2',
      'spark.app.name': 'clean',
      'spark.kubernetes.namespace': 'data',
      'spark.kubernetes.driver.pod.name': 'clean-1-2-driver',
      'spark.kubernetes.executor.podTemplateFile': '/opt/spark/job/executor.yaml',
      'spark.kubernetes.executor.deleteOnTermination': 'false',
      'spark.kubernetes.executor.disableConfigMap': 'true',
      ...{ 'spark.driver.port': '7078', 'spark.blockManager.port': '7079', 'spark.ui.port': '4040' },
    });
  });

  it('leave the names of executors to Spark, which has others for each SparkContext of a program', () => {
    expect(attemptOf().properties).not.toHaveProperty('spark.kubernetes.executor.podNamePrefix');
  });

  it.each([
    ['plain', 'plain'],
    [' of a space', ' of a space'],
    ['  of two spaces', '  of two spaces'],
    ['C:\\temp\\new', 'C:\\temp\\new'],
    ['a=b:c #d !e', 'a=b:c #d !e'],
    ['=x', '=x'],
    ['$' + '{env:HOME}', '$' + '{env:HOME}'],
    ['grün', 'grün'],
    ['', ''],
  ])('have the value %j as users write it', (value, expected) => {
    expect(attemptOf({ config: { 'spark.a': value } }).properties['spark.a']).toBe(expected);
  });

  it('are in one order, one in a line', () => {
    const text: string = attemptOf({ config: { 'spark.a': 'x', 'spark.zz': 'y' } }).config.data['spark.properties'];
    const keys = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(keys).toEqual(keys.toSorted());
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('have defaults that config can change', () => {
    const key = 'spark.executor.maxNumFailures';
    expect(attemptOf().properties[key]).toBe('4');
    expect(attemptOf({ executors: { replicas: 1 } }).properties[key]).toBe('3');
    expect(attemptOf({ executors: { dynamic: { max: 10 } } }).properties[key]).toBe('20');
    expect(attemptOf({ config: { [key]: '9' } }).properties[key]).toBe('9');
    expect(attemptOf().properties['spark.ui.killEnabled']).toBe('false');
  });

  it('have dependencies as lists, and none that are not there', () => {
    const { properties } = attemptOf({
      dependencies: {
        jars: ['local:///a.jar', 'https://example.com/b.jar'],
        ...{ pyFiles: ['local:///a.zip'], files: ['local:///f'], archives: ['local:///e.tgz#env'] },
        ...{ packages: ['a:b:1', 'c:d:2'], repositories: ['https://maven.example.com'] },
      },
    });
    expect(properties).toMatchObject({
      'spark.jars': 'local:///a.jar,https://example.com/b.jar',
      'spark.submit.pyFiles': 'local:///a.zip',
      'spark.files': 'local:///f',
      'spark.archives': 'local:///e.tgz#env',
      'spark.jars.packages': 'a:b:1,c:d:2',
      'spark.jars.repositories': 'https://maven.example.com',
      'spark.jars.ivy': '/tmp/.ivy2',
    });
    expect(attemptOf().properties).not.toHaveProperty('spark.jars');
  });
});

describe('the number of executors', () => {
  it('is fixed, 2 by default', () => {
    expect(attemptOf().properties['spark.executor.instances']).toBe('2');
    expect(attemptOf({ executors: { replicas: 5 } }).properties['spark.executor.instances']).toBe('5');
    expect(attemptOf().properties).not.toHaveProperty('spark.dynamicAllocation.enabled');
  });

  it('follows the load between two numbers', () => {
    const { properties } = attemptOf({ executors: { dynamic: { min: 1, max: 4 } } });
    expect(properties).toMatchObject({
      ...{ 'spark.dynamicAllocation.enabled': 'true', 'spark.dynamicAllocation.minExecutors': '1' },
      ...{ 'spark.dynamicAllocation.maxExecutors': '4', 'spark.dynamicAllocation.shuffleTracking.enabled': 'true' },
    });
    expect(properties).not.toHaveProperty('spark.executor.instances');
  });

  it('of tasks in an executor is its requested cores, rounded up', () => {
    const cores = (executors: object) => attemptOf({ executors }).properties['spark.executor.cores'];
    const cpu = (requested: string) => ({ resources: { requests: { cpu: requested }, limits: { cpu: '8' } } });
    expect([cores({}), cores(cpu('1500m')), cores(cpu('100m')), cores(cpu('4')), cores({ cores: 3 })]).toEqual([
      ...['1', '2', '1', '4', '3'],
    ]);
  });
});

describe('the memory of a container', () => {
  it.each([
    { of: 'Python', main: 'local:///a.py', memory: '4Gi', heap: '2458m', overhead: '1638m' },
    { of: 'a JAR file', main: 'local:///a.jar', mainClass: 'A', memory: '4Gi', heap: '3687m', overhead: '409m' },
    { of: 'a small JAR file', main: 'local:///a.jar', mainClass: 'A', memory: '1Gi', heap: '768m', overhead: '256m' },
    {
      of: 'a stated overhead',
      main: 'local:///a.py',
      memoryOverhead: '512Mi',
      memory: '2Gi',
      heap: '1536m',
      overhead: '512m',
    },
  ])('is divided into heap and overhead, which are its limit together: of $of', (row) => {
    const { main, mainClass, memory, memoryOverhead, heap, overhead } = row as typeof row & Record<string, string>;
    const role = limit(memory, memoryOverhead === undefined ? {} : { memoryOverhead });
    const { properties, driver } = attemptOf({ main, ...(mainClass && { mainClass }), driver: role, executors: role });
    expect(properties).toMatchObject({
      ...{ 'spark.driver.memory': heap, 'spark.driver.memoryOverhead': overhead },
      ...{ 'spark.executor.memory': heap, 'spark.executor.memoryOverhead': overhead },
    });
    expect(driver.spec.containers[0].resources.limits.memory).toBe(memory);
    expect(Number.parseInt(heap, 10) + Number.parseInt(overhead, 10)).toBe(1_024 * Number.parseInt(memory, 10));
  });

  it('grows with its setting in Spark, for the role that needs it alone', () => {
    const before = attemptOf();
    const grown = attemptOf({}, { memory: { driver: '3Gi' } });
    expect(grown.driver.spec.containers[0].resources).toMatchObject({
      limits: { memory: '3Gi' },
      requests: { memory: '3Gi' },
    });
    expect(grown.properties['spark.driver.memory']).toBe('1844m');
    expect(grown.properties['spark.executor.memory']).toBe(before.properties['spark.executor.memory']);
    const { properties, driver } = attemptOf({}, { memory: { executor: '3Gi' } });
    expect(properties).toMatchObject({ 'spark.executor.memory': '1844m', 'spark.executor.memoryOverhead': '1228m' });
    expect(driver.spec.containers[0].resources).toEqual(before.driver.spec.containers[0].resources);
  });

  it('grows outside of the heap too, if the spec states how much is there', () => {
    const { properties } = attemptOf({ executors: { memoryOverhead: '1Gi' } }, { memory: { executor: '4Gi' } });
    expect(properties).toMatchObject({ 'spark.executor.memory': '2048m', 'spark.executor.memoryOverhead': '2048m' });
  });

  it('keeps a request below the limit when the limit grows', () => {
    const driver = { resources: { requests: { memory: '1Gi' }, limits: { memory: '2Gi' } } };
    const pod = attemptOf({ driver }, { memory: { driver: '4Gi' } }).driver;
    expect(pod.spec.containers[0].resources).toMatchObject({ requests: { memory: '1Gi' }, limits: { memory: '4Gi' } });
  });

  it.each([
    [{ driver: limit('512Mi') }, 'driver.resources.limits.memory: Invalid value: "512Mi": must be at least'],
    [
      { executors: { memoryOverhead: '2Gi' } },
      'executors.resources.limits.memory: Invalid value: "2Gi": must be at least',
    ],
    [
      { driver: { resources: { requests: { cpu: '4' }, limits: { cpu: '2' } } } },
      'driver.resources.requests.cpu: Invalid value: "4"',
    ],
  ])('is refused if it is too small for its parts: %j', (input, message) => {
    expect(() => attemptOf(input)).toThrow(message);
  });
});
