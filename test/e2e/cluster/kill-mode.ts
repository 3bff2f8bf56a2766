/** Whether the operator that leads is killed every few seconds, all the time. */
export const underKills = process.env['RECONSTRUCT_E2E_KILLS'] === 'true';

/** The factor for all timeouts while leaders are killed. A lease that is not released lasts for 15 s. */
export const slower = underKills ? 3 : 1;
