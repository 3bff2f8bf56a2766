import { sparkJobKind } from '../../../imports/index.js';
import { sparkImage, sparkRepository } from '../../../src/index.js';
import type { KindPods } from '../../images/pod-defaults.js';
import { controllerOptions } from '../../options/controller-options.js';
import { imageRepository } from '../../options/values.js';

/** The options of SparkJobs. */
export const sparkOptions = controllerOptions<{ readonly sparkRepository: string }>({
  sparkRepository: {
    meaning:
      "Repository of the Spark images, such as `registry.example.com/spark`; by default this release's, or `spark` in `--image-registry`",
    read: imageRepository,
    default: '',
  },
});

/** The Pods of SparkJobs. */
export const sparkPods: KindPods<'sparkRepository'> = {
  kind: sparkJobKind,
  image: { imageOf: sparkImage, repository: sparkRepository, option: 'sparkRepository' },
};
