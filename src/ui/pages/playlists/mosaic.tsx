import { useSignals } from '@preact/signals-react/runtime'
import { ListVideo, Sparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PICTURED } from '../../../shared/limits'
import { useApp } from '../../app-context'
import { PodcastCover } from '../../library/covers'
import './playlists.css'

type Props = { podcasts: readonly string[]; size?: 64 | 256; eager?: boolean }

/** The picture of a playlist: the covers of four podcasts, the first one alone if there are fewer, or a glyph. */
export function Mosaic({ podcasts, size = 256, eager = false }: Props) {
  useSignals()
  const { library } = useApp()
  const known = podcasts.flatMap(id => library.byId.value.get(id) ?? [])
  const shown = known.length < PICTURED ? known.slice(0, 1) : known.slice(0, PICTURED)
  return (
    <span className={`mosaic is-${shown.length} clipped curved rigid sunken center faint`} aria-hidden="true">
      {shown.length === 0 && <ListVideo size={size === 64 ? 20 : 40} strokeWidth={1.5} />}
      {shown.map(podcast => (
        <PodcastCover key={podcast.id} podcast={podcast} size={size} eager={eager} />
      ))}
    </span>
  )
}

/** The first different podcasts of episodes, by their ids. */
export const podcastsOf = (items: readonly { podcastEpisode: { podcast_id: string } }[]): string[] =>
  [...new Set(items.map(({ podcastEpisode }) => podcastEpisode.podcast_id))].slice(0, PICTURED)

/** Marks a smart playlist. */
export function RulesBadge() {
  const { t } = useTranslation()
  return (
    <span className="rules-badge nowrap with-icon gap-4 muted">
      <Sparkles size={14} strokeWidth={1.75} aria-hidden="true" />
      {t('fills-itself')}
    </span>
  )
}
