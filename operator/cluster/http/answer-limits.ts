import { ApiError } from '../../runtime/kubernetes/errors.js';

/**
 * Bytes that are taken in of an answer, or of one line of a watch. The API server takes no request of more than 3 MiB, and
 * writes `<`, `>` and `&`, of one byte each, with six: an object has 18 MiB at the most.
 */
export const objectLimit = 32 * 1024 ** 2;

/**
 * The same of an answer of several objects, of which fewer can be asked for: in memory it takes some times as much, and
 * every worker of a controller, 16 by default, may take one in at once.
 */
export const listLimit = 8 * 1024 ** 2;

/** How what was asked for fails where more came than is taken in. */
export function answerTooLarge(asked: string, most: number): ApiError {
  const message = `${asked}: more than ${most} bytes came, and the rest was not waited for`;
  return new ApiError(message, { code: 200, reason: 'AnswerTooLarge' });
}
