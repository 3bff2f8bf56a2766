import { type DnsRecordsOptions, dnsNamesSource, dnsRecordsSource } from './records-source.js';

/** The sources of records at DNS servers. */
export const dns = {
  name: 'dns',
  open: ({ clock, addresses }: DnsRecordsOptions) => ({
    provided: [dnsRecordsSource({ clock, addresses }), dnsNamesSource({ clock, addresses })],
  }),
};
