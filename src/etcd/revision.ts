import { fingerprint } from '../manifest/fingerprint.js';
import type { MemberPod } from './objects/member-settings.js';
import { memberPod } from './objects/pod.js';

/** The settings that all members of an EtcdCluster have in common. */
export interface EtcdMemberSettings extends Omit<MemberPod, 'member' | 'token' | 'firstStart'> {
  /** Identifies the authorities that members trust. Renewed certificates need no restart. */
  readonly certificates: string;
}

/**
 * A fingerprint of the Pod template of an EtcdCluster. It is the same for all members, and changes when a member must start
 * again: with the rendered Pod, and with the authorities, which etcd reads only when it starts.
 */
export function etcdMemberRevision({ certificates, ...settings }: EtcdMemberSettings): string {
  const { metadata, spec } = memberPod({ ...settings, member: settings.name, token: '' });
  const { labels, annotations } = metadata;
  return fingerprint([labels, annotations ?? {}, spec, certificates]);
}
