import { Algorithm } from 'cdk8s-reconstruct';
import * as reconstruct from 'cdk8s-reconstruct/operator';
import { ConfigMap, Deployment, PodDisruptionBudget, Service } from 'cdk8s-reconstruct/operator';
import { translatorKind } from './kind.js';

const translator = reconstruct.defineController({
  kind: translatorKind,
  owns: [ConfigMap, Service, Deployment, PodDisruptionBudget],
  conditions: {
    Translating: { Serving: ['True', 'every language is served'], Starting: ['Unknown', 'servers are starting'] },
  },
  // What should exist: a server for each language.
  desire: (scope, { resource: { metadata, spec } }) => {
    for (const language of spec.languages) {
      const name = `${metadata.name}-${language}`;
      new Algorithm(scope, language, { name, image: spec.image, args: ['--to', language] });
    }
  },
  // How far it got.
  assess: ({ owned, resource: { spec } }) => {
    const serving = owned.of(Deployment).filter(({ status }) => status?.availableReplicas).length;
    return { conditions: { Translating: { reason: serving < spec.languages.length ? 'Starting' : 'Serving' } } };
  },
});

await reconstruct.runProcess([translator]);
