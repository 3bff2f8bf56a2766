// Declares what `await using` needs, for apps whose `lib` and types of Node.js are older. The library of TypeScript that
// declares it contradicts the types of Node.js 14.
declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }

  interface AsyncDisposable {
    [Symbol.asyncDispose](): PromiseLike<void>;
  }
}

export {};
