import { Algorithm } from 'cdk8s-reconstruct';
import * as reconstruct from 'cdk8s-reconstruct/operator';
import { ConfigMap, Deployment, PodDisruptionBudget, Service } from 'cdk8s-reconstruct/operator';
import { translatorKind } from './kind.js';

const translator = reconstruct.defineController({
  kind: translatorKind,
  owns: [ConfigMap, Service, Deployment, PodDisruptionBudget],
  conditions: {
    Translating: { Serving: ['True', 'Every language is served'], Starting: ['Unknown', 'Servers are starting'] },
  },
  // Desired state: one server per language.
  desire: (scope, { resource: { metadata, spec } }) => {
    for (const language of spec.languages) {
      const name = `${metadata.name}-${language}`;
      new Algorithm(scope, language, { name, image: spec.image, args: ['--to', language] });
    }
  },
  // Observed state.
  assess: ({ owned, resource: { spec } }) => {
    const serving = owned.of(Deployment).filter(({ status }) => status?.availableReplicas).length;
    return { conditions: { Translating: { reason: serving < spec.languages.length ? 'Starting' : 'Serving' } } };
  },
});

await reconstruct.runProcess([translator]);
