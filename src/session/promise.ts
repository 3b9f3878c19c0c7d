/** Errors for promises where nothing awaits them. */
import { abandon } from "../base/host-result.ts";
import { SessionError } from "./errors.ts";

export { isPromise } from "../base/host-result.ts";

export function asyncHandler(promise: PromiseLike<unknown>): SessionError {
  abandon(promise);
  return new SessionError("E520", "the handler returned a promise", "use runAsync");
}

export function asyncBatch(promise: PromiseLike<unknown>): SessionError {
  abandon(promise);
  return new SessionError(
    "E530",
    "the batch callback returned a promise",
    "await first, then change facts in the batch",
  );
}

export function asyncProduce(promise: PromiseLike<unknown>): SessionError {
  abandon(promise);
  return new SessionError("E520", "produce returned a promise, but guard is synchronous", "use guardAsync");
}
