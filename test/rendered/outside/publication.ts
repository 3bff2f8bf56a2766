import type { Systems } from '../ports/system.js';

/** A DNS server that accepts all updates, and Pods that sleep before they end. */
export function outside(): Systems {
  const records = new Map<string, { readonly values: readonly string[]; readonly ttl: number }>();
  const keyOf = ({ type, name }: { readonly type: string; readonly name: string }) => `${type} ${name}`;
  return {
    'reconstruct/dns-names': {
      answer: ({ rrsets }) => ({
        rrsets: rrsets.map((rrset: { type: string; name: string }) => records.get(keyOf(rrset)) ?? { values: [] }),
      }),
      perform: ({ updates }) => {
        for (const { changes } of updates)
          for (const change of changes) {
            if (change.values.length === 0) records.delete(keyOf(change));
            else records.set(keyOf(change), { values: change.values, ttl: change.ttl });
          }
      },
    },
    'reconstruct/pod-shutdown': { answer: () => ({ pods: [] }) },
    'reconstruct/dns-lookup': { answer: () => ({ ipv4: ['192.0.2.1'], ipv6: [] }) },
    'reconstruct/external-dns-webhook': {
      answer: () => ({ endpoints: [], adjusted: [], excluded: [] }),
      perform: () => {},
    },
    'reconstruct/haproxy': { answer: () => ({ servers: [] }), perform: () => {} },
    'reconstruct/etcd-keys': { answer: () => ({ values: {} }), perform: () => {} },
  };
}
