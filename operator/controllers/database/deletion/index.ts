export { isClosing, leavesClaims, staysUp } from './departure.js';
export { remnants } from './leftovers.js';
export { closingIn, nextOf } from './shutdown.js';
