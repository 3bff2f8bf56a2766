/** Annotation of a candidate with its role as JSON. Its launcher reads it from a file of the downward API. */
export const leaderRoleAnnotation = 'reconstruct.dev/leader-role';
/** Annotation of a candidate with the term in decimal digits, for applications. */
export const leaderTermAnnotation = 'reconstruct.dev/leader-term';
/** Label of the Pod of the leader, with the value `true`. */
export const leaderPodLabel = 'reconstruct.dev/leader';
/** Audience of the tokens with which launchers identify themselves. */
export const leaderAudience = 'reconstruct.dev/leader';

/** Port on which a launcher answers the operator, the other launchers and probes. */
export const leaderLauncherPort = 7481;

/** Where a candidate has its files. */
export const leaderFolders = {
  program: '/reconstruct',
  role: '/etc/reconstruct/leader',
  token: '/var/run/secrets/reconstruct.dev/leader',
} as const;

/** The image of the launcher, of this release. */
export const leaderLauncherImage = 'registry.alien6.io/reconstruct/leader-launcher:1.0.0';
