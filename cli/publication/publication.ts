import { Command } from 'commander';
import { servicePublicationKind } from '../../imports/index.js';
import {
  abandonAnnotation,
  takeOverAnnotation,
} from '../../operator/controllers/publication/service-publication/situation.js';
import { apiVersionOf } from '../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type Manifest, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { resourceNamed } from '../cluster/named-resource.js';
import { resourceArgument } from '../cluster/resource-argument.js';
import { endsInTrouble } from '../output/exit-code.js';
import { notFoundError } from '../status/listed-resources.js';
import { inCluster, type PlaceOptions, placedCommand } from '../status/placed-command.js';

/** `reconstruct publication VERB`: decisions about records that only a person can make. */
export function publicationCommand(): Command {
  return new Command('publication')
    .description('take over records, and let places go that do not answer')
    .exitOverride(endsInTrouble)
    .addCommand(decisionCommand(decisions.takeOver))
    .addCommand(decisionCommand(decisions.abandon));
}

/** A decision that an annotation tells the operator. */
interface Decision {
  readonly verb: string;
  readonly description: string;
  readonly annotation: string;
  /** The argument, and what it is. */
  readonly value: readonly [name: string, description: string];
  /** What the operator does, for people. */
  readonly effect: (value: string) => string;
}

/** The decisions, by their names. */
export const decisions = {
  takeOver: {
    verb: 'take-over',
    description: 'take over the records of another owner',
    annotation: takeOverAnnotation,
    value: ['OWNER', 'exact owner in the message of Published, or unowned for records without an owner'],
    effect: (owner) => `takes over records of "${owner}"`,
  },
  abandon: {
    verb: 'abandon',
    description: 'let places go that are no longer in the spec, and leave their records',
    annotation: abandonAnnotation,
    value: ['PLACE', 'place as status.targets has it, or * for all'],
    effect: (place) => `lets go of ${place}, whose records stay`,
  },
} satisfies Readonly<Record<string, Decision>>;

function decisionCommand(decision: Decision): Command {
  const { verb, description, value } = decision;
  return placedCommand(verb, description)
    .addArgument(resourceArgument(servicePublicationKind))
    .argument(`<${value[0]}>`, value[1])
    .action((name: string, text: string, options: PlaceOptions) =>
      inCluster(options, async (cluster, namespace) => {
        console.log(printable(await decide(cluster, decision, { namespace, name, text })));
        return 0;
      }),
    );
}

/**
 * Tells the operator a decision about a publication.
 * @returns what the operator does, as a sentence for users
 * @throws {Error} if the publication does not exist
 */
export async function decide(
  cluster: Cluster,
  { verb, annotation, effect }: Decision,
  { namespace, name, text }: ObjectName & { readonly text: string },
): Promise<string> {
  const kind = servicePublicationKind;
  const place = { ...(namespace !== undefined && { namespace }), name };
  const live = await resourceNamed(kind, place, cluster);
  if (!live) throw notFoundError(kind.kind, place);
  const metadata = { ...place, uid: live.metadata.uid, annotations: { [annotation]: text } };
  // With the UID, a resource that was deleted and created again meanwhile is left alone.
  const manifest = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata } as Manifest;
  await cluster.apply(kind, manifest, { manager: `reconstruct-${verb}` });
  return `ServicePublication ${keyOf(place)} ${effect(text)}`;
}
