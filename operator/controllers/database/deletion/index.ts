export { leavesClaims, staysUp } from './departure.js';
