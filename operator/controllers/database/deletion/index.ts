export { leavesClaims, staysUp } from './departure.js';
export { remnants } from './remnants.js';
