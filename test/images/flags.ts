import { Command, Option } from 'commander';
import { imageRegistryRule, isImageRegistry } from '../../src/workload/image.js';

/** What `npm run images` does with the images that it builds. */
export interface ImageFlags {
  /** Registry with an optional path, such as `registry.example.com/mirror`. @default - no image is pushed */
  readonly push?: string;
  readonly insecure?: boolean;
  /** Names of systems. @default - all images are built */
  readonly for?: readonly string[];
}

/** The flags of `npm run images`. */
export function imageFlags(): Command {
  return new Command('npm run images --')
    .description('build the images of this package, and push them to a registry')
    .addOption(
      new Option('--push <registry>', 'push each image to this registry, with an optional path').argParser(registry),
    )
    .addOption(
      new Option('--for <systems>', 'build the images that tests of these systems need, such as spark,kafka').argParser(
        (text) => text.split(','),
      ),
    )
    .option('--insecure', 'push to a registry without TLS, or with a certificate that is not trusted');
}

/** @throws {Error} if the text is no registry */
function registry(text: string): string {
  if (isImageRegistry(text)) return text;
  throw new Error(`--push: Invalid value: ${JSON.stringify(text)}: must be ${imageRegistryRule}`);
}
