import { useSignals } from '@preact/signals-react/runtime'
import { Cast, ThumbsUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { IconButton } from '../components/buttons'
import { episodeActions } from '../library/episodes/episode-actions'
import type { Playing } from '../playback/state'

/** Returns whether a speaker or a television plays, whose sound this browser does not shape. */
export function useIsRemote(): boolean {
  useSignals()
  return useApp().extras.value?.remote.isOn.value ?? false
}

/** The button for speakers and televisions; absent if the browser knows of none. */
export function RemoteButton() {
  useSignals()
  const { t } = useTranslation()
  const remote = useApp().extras.value?.remote
  if (!remote || (!remote.isAvailable.value && !remote.isOn.value)) return null
  const isOn = remote.isOn.value
  const prepare = () => void remote.prepare()
  return (
    <IconButton
      icon={Cast}
      label={isOn ? t('remote-playing') : t('play-remotely')}
      className={`remote ${isOn ? 'is-on' : ''}`}
      aria-pressed={isOn}
      aria-busy={remote.isConnecting.value}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => void remote.choose()}
    />
  )
}

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
