import { kafkaClusterKind } from '../../../imports/index.js';
import { kafkaImage, kafkaRepository } from '../../../src/index.js';
import type { KindPods } from '../../images/pod-defaults.js';
import { controllerOptions } from '../../options/controller-options.js';
import { imageRepository } from '../../options/values.js';

/** The options of KafkaClusters. */
export const kafkaOptions = controllerOptions<{ readonly kafkaRepository: string }>({
  kafkaRepository: {
    meaning:
      "Repository of the Kafka images, such as `registry.example.com/kafka`; by default this release's, or `kafka` in `--image-registry`",
    read: imageRepository,
    default: '',
  },
});

/** The Pods of KafkaClusters. */
export const kafkaPods: KindPods<'kafkaRepository'> = {
  kind: kafkaClusterKind,
  image: { imageOf: kafkaImage, repository: kafkaRepository, option: 'kafkaRepository' },
};
