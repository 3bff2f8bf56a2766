import type { BinarySource } from './binary-source.js';
import { archiveStore } from './cache-folder.js';
import { executable, newestIn } from './executables.js';
import { componentsOf, kubernetesModule } from './kubernetes-module.js';

/** What an earlier build or download has left in the user's cache. */
export const userCache: BinarySource = {
  name: "the user's cache",
  cost: 'none',
  async find({ env, needs }) {
    const { program } = await kubernetesModule(env);
    if (await executable(program)) return { binaries: componentsOf(program) };
    const finding = await newestIn(archiveStore(env), needs);
    return 'binaries' in finding ? finding : { absent: `no ${program}, and ${finding.absent}` };
  },
};
