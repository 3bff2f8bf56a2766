/** Where the operator answers HTTP-01 challenges. */
export interface Responder {
  /** The IP address of this Pod. */
  readonly address: string;
  readonly port: number;
}
