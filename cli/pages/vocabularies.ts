import { controllers } from '../../operator/controllers/index.js';
import { groupKindOf } from '../../operator/runtime/kubernetes/kinds.js';
import { runtimeReasons } from '../../operator/runtime/status/runtime-reasons.js';
import { type Vocabulary, vocabularyOf } from '../reasons/vocabulary.js';

/**
 * The vocabulary of a kind of this package, or of the runtime.
 * @param kind such as `Database`, or `runtime`
 * @throws {Error} if no controller has the kind
 */
export function vocabularyNamed(kind: string): Vocabulary {
  if (kind === 'runtime') return { conditions: runtimeReasons, rejections: {} };
  const found = controllers.find((one) => one.kind.kind === kind);
  if (!found) throw new Error(`no controller for ${kind}: correct the comment in docs/`);
  return vocabularyOf(groupKindOf(found.kind), controllers);
}
