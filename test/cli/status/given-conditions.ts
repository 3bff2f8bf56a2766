/** The time of the tests. */
export const now = Date.parse('2030-01-01T00:00:00Z');

/** A condition of a resource. */
export const condition = (type: string, status: string, reason: string, message = `${reason} is the reason`) => ({
  ...{ type, status, reason, message, lastTransitionTime: '2029-12-31T00:00:00Z' },
});

/** The conditions of a resource without problems. */
export const good = [condition('Ready', 'True', 'Ready'), condition('Accepted', 'True', 'Valid')];
