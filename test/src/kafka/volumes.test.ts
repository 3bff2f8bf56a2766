import { App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { additionalVolumeOf, KafkaNodeClaim, kafkaClaimName, volumeOfDirectory } from '../../../src/index.js';
import { least, podOf, type Rendered, revisionOf } from './given-cluster.js';

const volumesOf = (...names: readonly string[]) => ({
  brokers: {
    storage: { ...least.brokers.storage, additionalVolumes: names.map((name) => ({ name, size: '1Ti' })) },
  },
});
const propertiesOf = (pod: Rendered): string =>
  pod.spec.containers[0].env.find(({ name }: Rendered) => name === 'KAFKA_NODE_PROPERTIES').value;

describe('a broker with additional volumes', () => {
  const pod = podOf(2, volumesOf('fast', 'cold'));

  it('has a claim and a folder for each', () => {
    const claims = pod.spec.volumes.flatMap(({ name, persistentVolumeClaim: claim }: Rendered) =>
      claim ? [[name, claim.claimName]] : [],
    );
    expect(claims).toEqual([
      ['data', 'events-broker-2'],
      ['kafka-data-cold', 'events-broker-2-cold'],
      ['kafka-data-fast', 'events-broker-2-fast'],
    ]);
    const mounts = Object.fromEntries(
      pod.spec.containers[0].volumeMounts.map(({ name, mountPath }: Rendered) => [name, mountPath]),
    );
    expect(mounts).toMatchObject({ data: '/var/lib/kafka', 'kafka-data-fast': '/var/lib/kafka-volumes/fast' });
  });

  it('has a log directory on each, the first one first, because it has the metadata log', () => {
    expect(propertiesOf(pod)).toContain(
      '\nlog.dirs=/var/lib/kafka/data,/var/lib/kafka-volumes/cold/data,/var/lib/kafka-volumes/fast/data\n',
    );
    expect(volumeOfDirectory('/var/lib/kafka/data')).toBe('data');
    expect(volumeOfDirectory('/var/lib/kafka-volumes/fast/data')).toBe('fast');
    expect(volumeOfDirectory('/elsewhere')).toBeUndefined();
  });

  it('starts again when it gets one more, and not when they are listed in another order', () => {
    expect(revisionOf('broker', volumesOf('fast', 'cold'))).not.toBe(revisionOf('broker', volumesOf('fast')));
    expect(revisionOf('broker', volumesOf('fast', 'cold'))).toBe(revisionOf('broker', volumesOf('cold', 'fast')));
    expect(revisionOf('controller', volumesOf('fast'))).toBe(revisionOf('controller'));
  });
});

it('a broker with one volume has the log directory of all nodes, and the controllers have no other', () => {
  for (const pod of [podOf(0), podOf(1_000, volumesOf('fast'))]) {
    expect(propertiesOf(pod)).not.toContain('log.dirs');
    expect(pod.spec.volumes.filter(({ persistentVolumeClaim: claim }: Rendered) => claim)).toHaveLength(1);
  }
});

describe('the claim of a volume', () => {
  it('has the name of the Pod for the first volume, and another one for each additional volume', () => {
    const claim = (volume?: string) => {
      const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
      new KafkaNodeClaim(chart, 'claim', {
        ...{ name: 'events', clusterId: 'id', node: { id: 2, group: 'broker', role: 'broker' as const } },
        ...{ storage: { size: '1Gi' }, ...(volume !== undefined && { volume }) },
      });
      return chart.toJson()[0].metadata.name;
    };
    expect([claim(), claim('fast')]).toEqual(['events-broker-2', 'events-broker-2-fast']);
  });

  it.each([
    { claim: 'events-broker-2-fast', of: { node: 'events-broker-2', volume: 'fast' } },
    { claim: 'events-large-12-disk2', of: { node: 'events-large-12', volume: 'disk2' } },
    { claim: 'events-broker-2', of: undefined },
    { claim: 'events-broker-2-3', of: undefined },
    { claim: 'events-broker-02-fast', of: undefined },
  ])('$claim is of $of', ({ claim, of }) => {
    expect(additionalVolumeOf(claim)).toEqual(of);
    if (of) expect(kafkaClaimName(of.node, of.volume)).toBe(claim);
  });
});
