import { because, ownedVerbs, rightsOf, type UnusedRights } from '../given/unused-rights.js';

/** Rights for Algorithms that the test of one Algorithm does not use. */
export const unused = {
  ...because('every Algorithm has one: the rights of all owned kinds are the same, whichever may be pruned', [
    ...rightsOf(['delete'], ['configmaps', 'services', 'deployments.apps', 'poddisruptionbudgets.policy']),
  ]),
  ...because('takes away fields that are wanted no longer; those of this kind are always the same', [
    ...rightsOf(['patch'], ['services', 'horizontalpodautoscalers.autoscaling', 'poddisruptionbudgets.policy']),
  ]),
  'get algorithms.ai.alien6.io':
    'an Algorithm reads the one whose Service has the name of its host; none here has a host',
  ...because('asked of a server that cannot stream what there is at the beginning of a watch', [
    ...rightsOf(['list'], ['algorithms.ai.alien6.io', 'configmaps', 'services', 'deployments.apps']),
    ...rightsOf(['list'], ['horizontalpodautoscalers.autoscaling', 'poddisruptionbudgets.policy']),
    'list controllerrevisions.apps',
  ]),
  ...because('an Algorithm with a lifecycle keeps its versions in them; none here has one', [
    ...rightsOf(['get', 'create', 'update', 'patch', 'delete'], ['controllerrevisions.apps']),
  ]),
  ...because(
    'an Algorithm with a lifecycle has a route, in a cluster that has the Gateway API; this one has none',
    rightsOf(
      ['list', 'get', 'create', 'patch', 'delete'],
      ['gateways.gateway.networking.k8s.io', 'httproutes.gateway.networking.k8s.io'],
    ),
  ),
  'update httproutes.gateway.networking.k8s.io': 'as above: no route here',
  ...because('a Gateway of class reconstruct has proxies; nobody here has one', [
    ...rightsOf(ownedVerbs, ['serviceaccounts', 'rolebindings.rbac.authorization.k8s.io', 'daemonsets.apps']),
    ...rightsOf(['list', 'get'], ['gatewayclasses.gateway.networking.k8s.io']),
  ]),
  'list pods': 'who counts the requests of an Algorithm is found so',
  ...because(
    'asked by the admission plug-in OwnerReferencesPermissionEnforcement of who sets blockOwnerDeletion, never requested',
    ['update algorithms.ai.alien6.io/finalizers', 'update gateways.gateway.networking.k8s.io/finalizers'],
  ),
} satisfies UnusedRights;
