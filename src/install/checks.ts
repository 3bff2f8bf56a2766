import { definedBy } from './definitions.js';
import { outOfReach } from './namespace-scope.js';
import type { OperatorInstallProps } from './operator-install-props.js';

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const namespaceLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** What is wrong with an installation, each in a sentence that says what to do. */
export function problemsOf(props: OperatorInstallProps & { readonly name: string; readonly namespace: string }) {
  const { name, namespace, controllers, watchNamespaces, replicas = 1 } = props;
  const problems = [...undefinedKinds(props), ...(watchNamespaces ? controllers.flatMap(outOfReach) : [])];
  if (!label.test(name) || name.length > 40) {
    problems.push(`name must be a lower-case label of at most 40 characters, got ${JSON.stringify(name)}`);
  }
  for (const wrong of [namespace, ...(watchNamespaces ?? [])].filter((value) => !namespaceLabel.test(value))) {
    problems.push(`a namespace is a lower-case label of at most 63 characters, got ${JSON.stringify(wrong)}`);
  }
  if (controllers.length === 0) problems.push('controllers is empty; list those that the image runs');
  if (watchNamespaces?.length === 0) {
    problems.push('watchNamespaces is empty; list the namespaces, or leave it out to watch all');
  }
  if (watchNamespaces && props.gatewayProxies) {
    problems.push(
      'gatewayProxies are bound to roles of the whole cluster; leave watchNamespaces out, or gatewayProxies',
    );
  }
  if (!Number.isInteger(replicas) || replicas < 0) {
    problems.push(`replicas must be a whole number of 0 or more, got ${replicas}`);
  }
  return problems;
}

/** Without a definition the operator would wait for ever for a kind that nobody makes. */
function undefinedKinds(props: OperatorInstallProps): readonly string[] {
  if (props.installApi === false) return [];
  const defined = new Set(definedBy(props).map(({ metadata }) => metadata.name));
  return props.controllers
    .filter(({ kind }) => !kind.optional)
    .map(({ name, kind }) => ({ name, definition: `${kind.plural}.${kind.group}` }))
    .filter(({ definition }) => !defined.has(definition))
    .map(
      ({ name, definition }) =>
        `controller ${name} runs ${definition}, which nothing here defines; add its definition to crds, or set ` +
        'installApi to false where the definitions come from elsewhere',
    );
}
