import { ApiError } from '../../runtime/kubernetes/errors.js';

/**
 * The maximum number of bytes of a response, or of one line of a watch. The API server accepts requests of at most 3
 * MiB and writes each `<`, `>` and `&` as six bytes, so an object has at most 18 MiB.
 */
export const objectLimit = 32 * 1024 ** 2;

/**
 * The same for a response with several objects, which can be requested in smaller pages. In memory it takes several
 * times as much, and every worker of a controller, 16 by default, may read one at the same time.
 */
export const listLimit = 8 * 1024 ** 2;

/** The error of a response that exceeds the limit. */
export function answerTooLarge(asked: string, most: number): ApiError {
  const message = `${asked}: response is larger than ${most} bytes`;
  return new ApiError(message, { code: 200, reason: 'AnswerTooLarge' });
}
