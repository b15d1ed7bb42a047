/** A file cannot be moved in; the message says why and what to do. */
export class MoveRefused extends Error {
  override name = 'MoveRefused'
}
