import { App, Chart } from 'cdk8s';
import { etcdClusterSpec, withDefaults } from '../../../crds/index.js';
import type { EtcdClusterSpec, EtcdClusterSpecInput } from '../../../imports/index.js';
import {
  EtcdMemberPod,
  type EtcdMemberPodProps,
  EtcdSharedObjects,
  etcdImage,
  etcdMemberRevision,
} from '../../../src/index.js';

/** An object as it is rendered. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads any field of any kind
export type Rendered = any;

/** A spec with its defaults. */
export function specOf(input: EtcdClusterSpecInput = {}): EtcdClusterSpec {
  return withDefaults(etcdClusterSpec, input);
}

/** The objects that all members of the EtcdCluster `store` share. */
export function sharedObjects(input: EtcdClusterSpecInput & { readonly voters?: number } = {}): readonly Rendered[] {
  const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
  new EtcdSharedObjects(chart, 'store', input);
  return chart.toJson();
}

/** The Pod of the member `store-2`. */
export function podOf(input: EtcdClusterSpecInput = {}, firstStart?: EtcdMemberPodProps['firstStart']): Rendered {
  const spec = specOf(input);
  const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
  const member = { name: 'store', member: 'store-2', token: 'uid', spec, image: etcdImage(spec), firstStart };
  new EtcdMemberPod(chart, 'pod', member);
  return chart.toJson()[0];
}

/** The arguments of etcd by their flags. */
export function argumentsOf({ spec }: Rendered): Readonly<Record<string, string>> {
  const [program, ...all]: readonly string[] = spec.containers[0].command;
  if (program !== 'etcd') throw new Error(`runs ${program}`);
  return Object.fromEntries(all.map((one) => /^--([a-z-]+)=(.*)$/.exec(one)?.slice(1) ?? [one, '']));
}

/** The revision of the members. */
export function revisionOf(input: EtcdClusterSpecInput = {}, certificates = 'a'): string {
  const spec = specOf(input);
  return etcdMemberRevision({ name: 'store', namespace: 'shop', spec, image: etcdImage(spec), certificates });
}
