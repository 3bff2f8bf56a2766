/** One guarantee of every controller. */
export interface ContractCheck {
  readonly name: string;
  /** @throws {Error} if the guarantee does not hold */
  readonly holds: () => Promise<void>;
}
