import type { FileHandle } from 'node:fs/promises'
import { AbstractTokenizer, EndOfStreamError, type IReadChunkOptions } from 'strtok3'
import { readAt } from './readable'

/** A limit on reading: the number of reads, the bytes of all of them, and the bytes of the longest. */
export type Budget = { reads: number; bytes: number; single: number }

export class TooLarge extends Error {
  override name = 'TooLarge'
}

/**
 * An open file for music-metadata that reads no more than its budget. Every further read throws
 * `TooLarge`. A parser may swallow that as a broken file: `isSpent` informs the caller of the parser.
 */
export class BoundedFile extends AbstractTokenizer {
  override fileInfo: { size: number; mimeType: string }
  isSpent = false
  #left: Budget

  constructor(
    readonly file: FileHandle,
    { size, type }: { size: number; type: string },
    budget: Budget,
  ) {
    super()
    this.fileInfo = { size, mimeType: type }
    this.#left = { ...budget }
  }

  // Called before a buffer is allocated for a read.
  override validateBufferSize(length: number) {
    if (length > this.#left.single) this.#refuse()
    super.validateBufferSize(length)
  }

  override async readBuffer(target: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const { length, position, mayBeLess } = this.normalizeOptions(target, options)
    const bytesRead = await this.#read(target, length, position, mayBeLess)
    this.position = position + bytesRead
    return bytesRead
  }
  override async peekBuffer(target: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const { length, position, mayBeLess } = this.normalizeOptions(target, options)
    return this.#read(target, length, position, mayBeLess)
  }

  async #read(target: Uint8Array, length: number, position: number, mayBeLess = false): Promise<number> {
    this.#left.reads -= 1
    this.#left.bytes -= length
    if (this.isSpent || this.#left.reads < 0 || this.#left.bytes < 0 || length > this.#left.single) this.#refuse()
    const bytesRead = await readAt(this.file, target.subarray(0, length), position)
    if (bytesRead < length && !mayBeLess) throw new EndOfStreamError()
    return bytesRead
  }

  #refuse(): never {
    this.isSpent = true
    throw new TooLarge('The file needs more reading than its budget allows')
  }

  setPosition(position: number) {
    this.position = position
  }
  override supportsRandomAccess() {
    return true
  }
}
