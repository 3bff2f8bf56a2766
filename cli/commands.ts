import type { Command } from 'commander';

/** The commands, each in a module of its own: one that runs does not wait for what the others import. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import('./demo/demo.js')).demoCommand(),
  cluster: async () => (await import('./cluster.js')).clusterCommand(),
  import: async () => (await import('./import.js')).importCommand(),
  plan: async () => (await import('./plan.js')).planCommand(),
  diff: async () => (await import('./diff.js')).diffCommand(),
  status: async () => (await import('./status.js')).statusCommand(),
  algo: async () => (await import('./algo.js')).algoCommand(),
  certificates: async () => (await import('./certificates/certificates.js')).certificatesCommand(),
  rotation: async () => (await import('./certificates/rotation.js')).rotationCommand(),
  kafka: async () => (await import('./kafka/kafka.js')).kafkaCommand(),
  training: async () => (await import('./training/training.js')).trainingCommand(),
  run: async () => (await import('./run.js')).runCommand(),
};
