import { type DnsRecordsOptions, dnsRecordsSource } from './records-source.js';

/** The source of records at DNS servers. */
export const dns = {
  name: 'dns',
  open: ({ clock, addresses }: DnsRecordsOptions) => ({ provided: [dnsRecordsSource({ clock, addresses })] }),
};
