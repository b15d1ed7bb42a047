import { ListPlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Episode } from '../../../shared/api/episode'
import { IconButton } from '../../components/icon-button'
import type { LiveDownload } from '../../state/live-downloads'
import { DownloadButton } from './download-button'
import type { EpisodeActions } from './episode-actions'
import './episode-tools.css'

type Props = { episode: Episode; live: LiveDownload | null; actions: EpisodeActions }

/** Buttons for frequent actions where there is room; the menu has all of them as well. */
export function EpisodeTools({ episode, live, actions }: Props) {
  const { t } = useTranslation()
  return (
    <div className="episode-tools">
      <IconButton
        icon={ListPlus}
        label={t('queue-episode', { name: episode.name })}
        className="is-quiet"
        onClick={actions.queueLast}
      />
      <DownloadButton episode={episode} live={live} actions={actions} />
    </div>
  )
}
