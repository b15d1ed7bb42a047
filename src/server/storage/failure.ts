/**
 * - `away`: the storage cannot be reached, refuses us, or answers with its own errors: everything waits.
 * - `refused`: the service lacks this one call, or its key may not use it: everything else continues.
 * - `full`: there is no room.
 * - `missing`: there is no such file.
 * - `broken`: the stored bytes are others than those that were sent.
 */
export type StorageTrouble = 'away' | 'refused' | 'full' | 'missing' | 'broken'

/** A storage that did not do what it was asked to; the message is for people. */
export class StorageFailure extends Error {
  override name = 'StorageFailure'
  constructor(
    readonly trouble: StorageTrouble,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
