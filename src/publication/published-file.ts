import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';

/** Formats of a file with addresses. */
export type PublishedFormat = 'Hosts' | 'HAProxyMap' | 'PrometheusFileSD' | 'JSON' | 'Env';

/** Addresses with the same ports. */
export interface PublishedSubset {
  readonly addresses: readonly string[];
  readonly ports: readonly { readonly name: string; readonly port: number; readonly protocol: string }[];
}

/** Props of {@link PublishedFile}. */
export interface PublishedFileProps {
  /** The name of the ConfigMap. */
  readonly name: string;
  readonly namespace: string;
  /** The name of the ServicePublication. */
  readonly publication: string;
  readonly format: PublishedFormat;
  /** Host names of the addresses. */
  readonly names: readonly string[];
  /** The name of the Service, Gateway or HTTPRoute. */
  readonly source: string;
  readonly subsets: readonly PublishedSubset[];
  /** The addresses with the port of the target. Empty if the target has none. */
  readonly ported: readonly { readonly address: string; readonly port: number }[];
}

/** A ConfigMap with addresses, in a format that other programs read. */
export class PublishedFile extends Construct {
  readonly configMap: ApiObject;

  constructor(scope: Construct, id: string, props: PublishedFileProps) {
    super(scope, id);
    const { name, namespace, publication } = props;
    this.configMap = new KubeObject(this, 'config-map', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        ...{ name, namespace },
        labels: { 'app.kubernetes.io/managed-by': 'reconstruct', 'reconstruct.dev/publication': publication },
      },
      ...{ data: contents[props.format](props) },
    });
  }
}

type Data = Readonly<Record<string, string>>;

const contents: Readonly<Record<PublishedFormat, (props: PublishedFileProps) => Data>> = {
  Hosts: (props) => ({ hosts: lines(props, (address, name) => `${address} ${name}`) }),
  HAProxyMap: (props) => ({
    'addresses.map': lines({ ...props, names: props.names.slice(0, 1) }, (address, name) => `${address} ${name}`),
  }),
  PrometheusFileSD: ({ ported, namespace, source, names }) => {
    const labels = { namespace, service: source, name: names[0] ?? source };
    const targets = ported.map(hostPort);
    return { 'targets.json': json(targets.length > 0 ? [{ targets, labels }] : []) };
  },
  JSON: ({ subsets, names, namespace, source }) => ({ 'endpoints.json': json({ namespace, source, names, subsets }) }),
  Env: ({ subsets, ported, names, source }) => {
    const prefix = (names[0] ?? source)
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^(?=\d)/, '_');
    const addresses = subsets.flatMap((subset) => subset.addresses).toSorted();
    return {
      [`${prefix}_ADDRESSES`]: addresses.join(','),
      ...(ported.length > 0 && { [`${prefix}_ENDPOINTS`]: ported.map(hostPort).join(',') }),
    };
  },
};

function lines({ subsets, names }: PublishedFileProps, line: (address: string, name: string) => string): string {
  const addresses = subsets.flatMap((subset) => subset.addresses).toSorted();
  return addresses.flatMap((address) => names.map((name) => `${line(address, name)}\n`)).join('');
}

function hostPort({ address, port }: PublishedFileProps['ported'][number]): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
