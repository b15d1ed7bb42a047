import { useSignals } from '@preact/signals-react/runtime'
import { ThumbsUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { IconButton } from '../components/icon-button'
import { episodeActions } from '../library/episodes/episode-actions'
import type { Playing } from '../playback/state'

export function LikeButton({ playing: { episode, podcastName } }: { playing: Playing }) {
  useSignals()
  const app = useApp()
  const { t } = useTranslation()
  const { toggleLike } = episodeActions(app, { podcastEpisode: episode, podcastHistoryItem: null }, podcastName)
  return (
    <IconButton
      icon={ThumbsUp}
      label={t('like')}
      className="like fills"
      aria-pressed={episode.favored ?? false}
      onClick={toggleLike}
    />
  )
}
