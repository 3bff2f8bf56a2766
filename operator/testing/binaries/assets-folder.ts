import type { BinarySource } from './binary-source.js';
import { executablesIn } from './executables.js';

/** The folder that the environment names, as for Kubernetes' own envtest. */
export const assetsFolder: BinarySource = {
  name: 'KUBEBUILDER_ASSETS',
  cost: 'none',
  async find({ env, needs }) {
    const folder = env['KUBEBUILDER_ASSETS'];
    return folder ? executablesIn(folder, needs) : { absent: 'the environment variable is not set' };
  },
};
