export { isClosing, leavesClaims, staysUp } from './departure.js';
export { foreignLeftovers } from './leftovers.js';
