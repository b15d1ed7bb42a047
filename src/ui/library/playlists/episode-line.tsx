import { useSignals } from '@preact/signals-react/runtime'
import { useApp } from '../../app-context'
import type { PlaylistItem } from '../../state/playlist-editor'
import { EpisodeCover } from '../covers/episode-cover'

/** An episode of a playlist in one line: cover, title, podcast. */
export function EpisodeLine({ item }: { item: PlaylistItem }) {
  useSignals()
  const { library } = useApp()
  const podcastName = library.byId.value.get(item.podcast_id)?.name ?? ''
  return (
    <>
      <EpisodeCover episode={item} podcastName={podcastName} size={64} />
      <span className="sortable-text grow">
        <span className="truncate">{item.name}</span>
        <span className="muted truncate">{podcastName}</span>
      </span>
    </>
  )
}
