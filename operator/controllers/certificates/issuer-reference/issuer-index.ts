/** The reference to an issuer, as an index finds it. */
export interface IssuerReference {
  readonly kind: 'Issuer' | 'ClusterIssuer';
  readonly name: string;
  /** Undefined for a ClusterIssuer. */
  readonly namespace?: string | undefined;
}

/** The value of an index of the objects that refer to an issuer. */
export function issuerIndex({ kind, namespace, name }: IssuerReference): string {
  return kind === 'Issuer' ? `${kind}/${namespace}/${name}` : `${kind}/${name}`;
}
