/** Something that is made to hurt, made when its turn comes. */
export type WorstInput = { name: string; body: () => Uint8Array; headers?: Record<string, string> }

export const MB = 1024 * 1024

/** Repeats a text until it fills a number of bytes. */
export const filled = (bytes: number, unit: string) => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)))

/** Pieces as bytes, one after the other: a string of them all could be longer than the engine allows. */
export const bytesOf = (...pieces: (string | Uint8Array)[]) =>
  Buffer.concat(pieces.map(piece => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
