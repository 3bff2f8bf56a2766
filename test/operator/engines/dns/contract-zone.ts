/** The zone that the servers of the contracts have. */
export const contractZone = 'example.com';
