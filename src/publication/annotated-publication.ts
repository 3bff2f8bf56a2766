import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { servicePublication, servicePublicationSpec, withDefaults } from '../../crds/index.js';
import type { ServicePublicationSpec, ServicePublicationSpecInput } from '../../imports/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import { suffixedName } from '../manifest/names.js';

type Target = ServicePublicationSpec['targets'][number];

/** Props of {@link AnnotatedPublication}. */
export interface AnnotatedPublicationProps {
  /** The Service or HTTPRoute that has the annotation. */
  readonly source: { readonly kind: 'Service' | 'HTTPRoute'; readonly namespace: string; readonly name: string };
  /** The name to publish, in the place of that of `like`. A route has host names of its own. */
  readonly name: string;
  /** The spec of the publication that the annotation names. */
  readonly like: ServicePublicationSpec;
}

/** A ServicePublication of an annotated object, with the targets of another publication. */
export class AnnotatedPublication extends Construct {
  readonly publication: ApiObject;

  constructor(scope: Construct, id: string, { source, name, like }: AnnotatedPublicationProps) {
    super(scope, id);
    const { onEmpty, drain, policy, addresses } = like;
    const isService = source.kind === 'Service';
    const targets = like.targets.map((target) => renamed(target, isService ? name : undefined, source.name));
    const spec: ServicePublicationSpecInput = {
      ...(isService ? { service: source.name, addresses } : { httpRoute: source.name }),
      ...{ targets, onEmpty, drain, policy },
    };
    this.publication = new KubeObject(this, 'publication', {
      apiVersion: `${servicePublication.group}/v1alpha1`,
      kind: servicePublication.kind,
      metadata: {
        name: annotatedPublicationName(source),
        namespace: source.namespace,
        labels: { 'app.kubernetes.io/managed-by': 'reconstruct' },
      },
      ...{ spec: withDefaults(servicePublicationSpec, spec) },
    });
  }
}

/** The name of the publication of an annotated object. */
export function annotatedPublicationName({
  kind,
  name,
}: Pick<AnnotatedPublicationProps['source'], 'kind' | 'name'>): string {
  return suffixedName(name, kind === 'Service' ? 'service' : 'route');
}

/** The same target for another name: no two publications have one place. @param name undefined for a route */
function renamed({ dns, webhook, file, haproxy, etcd }: Target, name: string | undefined, source: string): Target {
  const last = name ?? source;
  if (dns) {
    const { name: _, srv, ...others } = dns;
    return { dns: { ...others, ...(name !== undefined && { name, ...(srv && { srv }) }) } };
  }
  if (webhook) {
    const { name: _, ...others } = webhook;
    return { webhook: { ...others, ...(name !== undefined && { name }) } };
  }
  if (file) return { file: { ...file, configMap: suffixedName(source, file.configMap.slice(0, 20)), name: last } };
  if (haproxy) return { haproxy: { ...haproxy, backend: last } };
  return etcd ? { etcd: { ...etcd, key: etcd.key.replace(/[^/]+$/, last) } } : {};
}
