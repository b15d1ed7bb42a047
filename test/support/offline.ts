/** No answer came; what was asked may have arrived. */
export class Offline extends Error {
  override name = 'Offline'
}
