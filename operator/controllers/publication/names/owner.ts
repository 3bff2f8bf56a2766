/** The resource that owns records. */
interface Named {
  readonly metadata: {
    readonly namespace?: string | undefined;
    readonly name: string;
    readonly uid?: string | undefined;
  };
}

/** The value of the TXT record that says that a publication owns the records of one name and type. */
export function ownerValue({ metadata }: Named): string {
  return `heritage=reconstruct,reconstruct/owner=${metadata.uid},reconstruct/resource=${resourceOf(metadata)}`;
}

/** The same, in the form of external-dns, which providers of its webhooks and other owners know. */
export function externalDnsOwner({ metadata }: Named): string {
  return `heritage=external-dns,external-dns/owner=reconstruct-${metadata.uid},external-dns/resource=${resourceOf(metadata)}`;
}

/** Whether the value of a TXT record tells an owner. Other values are of no meaning, such as those of a wildcard. */
export function isOwner(value: string): boolean {
  return value.startsWith('heritage=');
}

/** The prefix of the names of servers and keys that a publication owns. */
export function ownPrefix({ metadata }: Named): string {
  return `rc-${(metadata.uid ?? '').replaceAll('-', '').slice(0, 8)}-`;
}

function resourceOf({ namespace, name }: Named['metadata']): string {
  return `servicepublication/${namespace}/${name}`;
}
