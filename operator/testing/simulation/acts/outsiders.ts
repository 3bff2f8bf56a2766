import { CallError } from '../../../runtime/ports/external-call.js';
import type { Act } from './act.js';

/** Another process undoes everything in a system outside of the cluster. */
const resets: Act = ({ meddled, outside }, chance) => {
  if (outside.length === 0) return undefined;
  const port = chance.pick(outside);
  port.meddle(port.model.state);
  meddled.set(port, (meddled.get(port) ?? 0) + 1);
  return `resets ${port.model.port.name}`;
};

/** Another process carries out a request that the operator has sent before. */
const repeats: Act = ({ meddled, outside }, chance) => {
  const [port] = outside.filter(({ performed }) => performed.length > 0);
  if (!port) return undefined;
  const { request } = chance.pick(port.performed);
  const sent = `sends ${JSON.stringify(request)} to ${port.model.port.name}`;
  try {
    port.meddle(port.model.perform(port.state as never, request as never));
  } catch (error) {
    if (error instanceof CallError) return `${sent}, which rejects it`;
    throw error;
  }
  meddled.set(port, (meddled.get(port) ?? 0) + 1);
  return sent;
};

/** Acts of other processes on systems outside of the cluster. */
export const outsiders: readonly Act[] = [resets, repeats];
