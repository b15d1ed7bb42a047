import type { Api } from '../../api'
import { useApp } from '../../app-context'
import { createPlaylistEditor, type PlaylistEditor } from '../../state/playlist-editor'

const editors = new WeakMap<Api['playlists'], PlaylistEditor>()

/**
 * Returns the wizard of this page, whose draft outlives the component that opened it. It is made when it is first
 * needed.
 */
export function usePlaylistEditor(): PlaylistEditor {
  const { playlists } = useApp().api
  const editor = editors.get(playlists) ?? createPlaylistEditor(playlists)
  editors.set(playlists, editor)
  return editor
}
