import { ApiObject, JsonPatch } from 'cdk8s';
import type { IConstruct } from 'constructs';

/** Workloads whose Pod template can change. The specs of other objects with Pods are the same for their whole life. */
const workloads: readonly string[] = ['Deployment', 'DaemonSet', 'StatefulSet'];

interface Workload {
  readonly spec?: { readonly template?: { readonly spec?: { readonly imagePullSecrets?: readonly object[] } } };
}

/**
 * Adds pull secrets to the Pods of all workloads that were rendered without any. This is not a part of the spec of their
 * resource: the version of an Algorithm would change, and a trial of the same image would start.
 * @param names names of Secrets
 */
export function addPullSecrets(scope: IConstruct, names: readonly string[]): void {
  for (const object of scope.node.findAll()) {
    if (!ApiObject.isApiObject(object) || !workloads.includes(object.kind)) continue;
    const { spec }: Workload = object.toJson();
    if (!spec?.template?.spec || (spec.template.spec.imagePullSecrets ?? []).length > 0) continue;
    object.addJsonPatch(
      JsonPatch.add(
        '/spec/template/spec/imagePullSecrets',
        names.map((name) => ({ name })),
      ),
    );
  }
}
