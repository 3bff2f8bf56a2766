/** The image of the operator that this package's `Dockerfile` builds, in the package's version. */
export const operatorImage = 'registry.alien6.io/reconstruct/operator:0.1.0';
