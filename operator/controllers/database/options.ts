import { databaseKind } from '../../../imports/index.js';
import { imageRepository, instanceImage } from '../../../src/index.js';
import type { KindPods } from '../../images/pod-defaults.js';
import { controllerOptions } from '../../options/controller-options.js';
import { imageRepository as repositoryText } from '../../options/values.js';

/** The options of Databases. */
export const databaseOptions = controllerOptions<{ readonly postgresRepository: string }>({
  postgresRepository: {
    meaning:
      "Repository of the Database images, such as `registry.example.com/postgres`; by default this release's, or `postgres` in `--image-registry`",
    read: repositoryText,
    default: '',
  },
});

/** The Pods of Databases, and of the backups that read them. */
export const databasePods: KindPods<'postgresRepository'> = {
  kind: databaseKind,
  image: { imageOf: instanceImage, repository: imageRepository, option: 'postgresRepository' },
};
