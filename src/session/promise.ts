/** Promises where none can be waited for. */
import { SessionError } from "./errors.ts";

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** The promise is let go; its failure has nobody left to tell. */
function abandon(promise: PromiseLike<unknown>): void {
  promise.then(undefined, () => undefined);
}

export function asyncHandler(promise: PromiseLike<unknown>): SessionError {
  abandon(promise);
  return new SessionError("E520", "its handler returned a promise", "use runAsync");
}

export function asyncBatch(promise: PromiseLike<unknown>): SessionError {
  abandon(promise);
  return new SessionError("E530", "the callback of a batch returned a promise", "wait first, then change in a batch");
}
