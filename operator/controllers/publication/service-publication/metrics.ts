import type { ServicePublicationResource } from '../../../../imports/index.js';
import { conditionOf, type LabeledValue } from '../../../runtime/index.js';
import { addressesIn } from '../addresses/subsets.js';
import type { conditions } from './conditions.js';

/** Metrics of each ServicePublication. */
export const metrics = {
  reconstruct_service_publication_addresses: {
    help: 'Number of addresses that are published.',
    valueFrom: ({ status }: ServicePublicationResource) => addressesIn(status?.subsets ?? []).length,
  },
  reconstruct_service_publication_target_ready: {
    help: '1 if a target has the addresses, 0 otherwise.',
    labels: ['type', 'where'],
    valueFrom: ({ status }: ServicePublicationResource): readonly LabeledValue[] =>
      (status?.targets ?? []).map(({ type, where, state }) => ({
        labels: { type, where },
        value: Number(state === 'Published'),
      })),
  },
  reconstruct_service_publication_stale_timestamp_seconds: {
    help: 'Unix time since which the list of addresses has no news. Absent while it is current.',
    valueFrom: ({ status }: ServicePublicationResource) =>
      status?.staleSince === undefined ? undefined : Date.parse(status.staleSince) / 1000,
  },
  reconstruct_service_publication_drained: {
    help: '1 if terminating Pods serve on for as long as clients use their addresses, 0 if they end earlier. Absent while it is not known.',
    valueFrom: (resource: ServicePublicationResource) => {
      const drained = conditionOf<typeof conditions>(resource, 'Drained');
      return !drained || drained.status === 'Unknown' ? undefined : Number(drained.status === 'True');
    },
  },
};
