/** Whether the operator that leads is killed every few seconds, all the time. */
export const underKills = process.env['RECONSTRUCT_E2E_KILLS'] === 'true';

/** How much longer everything takes then, when nobody leads for most of the time: a lease that is not given up runs for 15 s. */
export const slower = underKills ? 3 : 1;
