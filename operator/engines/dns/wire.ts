/** Input that has no form on the wire. The message names the field, its value and what it must be. */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError';
}

/** Bytes that are not a DNS message. The message quotes none of them, because they may be anything. */
export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError';
}

/** Reads numbers in network byte order. No read passes the end. */
export class Reader {
  #at: number;

  /** @param bytes the whole message, because compressed names point into it */
  constructor(
    readonly bytes: Buffer,
    at = 0,
    readonly end = bytes.length,
  ) {
    this.#at = at;
  }

  /** The offset of the next byte in the message. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.end;
  }

  /** @throws {MalformedMessageError} if fewer bytes are left */
  take(length: number): Buffer {
    const start = this.#at;
    if (length > this.end - start)
      throw new MalformedMessageError(`the message ends within ${length} bytes at ${start}`);
    this.#at += length;
    return this.bytes.subarray(start, this.#at);
  }

  /** The next bytes as a part with an end of its own. */
  part(length: number): Reader {
    const start = this.#at;
    this.take(length);
    return new Reader(this.bytes, start, this.#at);
  }

  /** A reader of the same message at another offset, up to the end of the message. */
  elsewhere(at: number): Reader {
    return new Reader(this.bytes, at);
  }

  /** An unsigned integer. */
  uint(bytes: 1 | 2 | 4 | 6): number {
    return this.take(bytes).readUIntBE(0, bytes);
  }

  /** @param what for the error, such as "the record" @throws {MalformedMessageError} if bytes are left */
  finish(what: string): void {
    if (!this.isAtEnd) throw new MalformedMessageError(`${what} has ${this.end - this.#at} bytes too many`);
  }
}

/** Writes numbers in network byte order. */
export class Writer {
  readonly #bytes: number[] = [];
  /** Where names begin that later names can point to. Kept here, because each message has its own. */
  readonly offsets = new Map<string, number>();

  /** The number of bytes. */
  get length(): number {
    return this.#bytes.length;
  }

  get bytes(): Buffer {
    return Buffer.from(this.#bytes);
  }

  uint(value: number, bytes: 1 | 2 | 4 | 6): void {
    const buffer = Buffer.alloc(bytes);
    buffer.writeUIntBE(value, 0, bytes);
    this.put(buffer);
  }

  put(bytes: Uint8Array): void {
    for (const byte of bytes) this.#bytes.push(byte);
  }

  /** Writes a part after its length in two bytes. */
  sized(write: () => void): void {
    const at = this.length;
    this.uint(0, 2);
    write();
    const length = this.length - at - 2;
    this.#bytes[at] = length >> 8;
    this.#bytes[at + 1] = length & 255;
  }
}
