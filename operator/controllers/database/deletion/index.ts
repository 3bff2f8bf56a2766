export { closingIn, nextOf } from './closing.js';
export { isClosing, leavesClaims, staysUp } from './departure.js';
export { remnants } from './remnants.js';
