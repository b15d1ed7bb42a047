import type { UndoApart } from './apart'

/** Removes a cover that the move took from a folder, if it is still shown. It belongs to a file, which is counted. */
export const undoCover: UndoApart = async ({ store, disk }, move, change) => {
  const { podcast_id: id, after: address } = change
  const digest = store.covers.find(id!, address!)?.digest
  store.inTransaction(() => {
    if (store.podcasts.find(id!)?.image_url === address) {
      store.podcasts.setImage(id!, null)
      store.covers.forget(id!, address!)
    }
    store.moves.setUndoPlace(move.id, change.place)
  })
  if (digest) await disk.dropCovers([digest])
}
