import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';
import { type EtcdClusterRef, etcdIdentity } from './naming/identity.js';
import type { MemberPod } from './objects/member-settings.js';
import { memberPod } from './objects/pod.js';

/** Props of an {@link EtcdMemberPod}. */
export interface EtcdMemberPodProps extends EtcdClusterRef, Omit<MemberPod, 'namespace'> {}

/** The Pod of a member. Create it only once, because a change of its content requires another Pod. */
export class EtcdMemberPod extends Construct {
  readonly pod: ApiObject;

  constructor(scope: Construct, id: string, props: EtcdMemberPodProps) {
    super(scope, id);
    const { namespace } = etcdIdentity(this, props);
    this.pod = new KubeObject(this, 'pod', memberPod({ ...props, namespace }));
  }
}
