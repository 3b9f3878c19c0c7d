/** Promises where none can be waited for. */
import { abandon } from "../base/host-result.ts";
import { SessionError } from "./errors.ts";

export { isPromise } from "../base/host-result.ts";

export function asyncHandler(promise: PromiseLike<unknown>): SessionError {
  abandon(promise);
  return new SessionError("E520", "its handler returned a promise", "use runAsync");
}

export function asyncBatch(promise: PromiseLike<unknown>): SessionError {
  abandon(promise);
  return new SessionError("E530", "the callback of a batch returned a promise", "wait first, then change in a batch");
}

export function asyncProduce(promise: PromiseLike<unknown>): SessionError {
  abandon(promise);
  return new SessionError("E520", "produce returned a promise, and guard does not wait", "use guardAsync");
}
