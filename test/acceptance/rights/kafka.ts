import { because, ownedVerbs, rightsForResources, rightsOf, type UnusedRights } from '../given/unused-rights.js';

/** Rights for KafkaClusters, their topics and users. */
export const unused = because('what a KafkaCluster is made of, with its topics and users; nobody here has one', [
  ...rightsForResources([
    ...['kafkaclusters.reconstruct.dev', 'kafkatopics.reconstruct.dev', 'kafkausers.reconstruct.dev'],
  ]),
  ...rightsOf(ownedVerbs, ['networkpolicies.networking.k8s.io']),
  // Listeners for other networks can have them.
  ...rightsOf(ownedVerbs, ['tlsroutes.gateway.networking.k8s.io']),
  ...rightsOf(['create', 'update', 'delete'], ['issuers.reconstruct.dev']),
  // Hooks before and after the restart of a broker can be Jobs.
  ...rightsOf(ownedVerbs, ['jobs.batch']),
]) satisfies UnusedRights;
