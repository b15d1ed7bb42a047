import {
  ArrowDownToLine,
  Check,
  CircleDashed,
  Download,
  Ellipsis,
  ExternalLink,
  Heart,
  Link as LinkIcon,
  ListEnd,
  ListPlus,
  ListStart,
  Smartphone,
  Trash2,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { Menu, type MenuItem } from '../../components/menu'
import type { EpisodeActions } from './episode-actions'
import { isGone } from './is-gone'

type Props = {
  wrapper: EpisodeWrapper
  actions: EpisodeActions
  onPickPlaylist: () => void
  /** Entries of the list that the row stands in. */
  more: readonly MenuItem[]
}

/** Everything else that can be done with an episode. */
export function EpisodeMenu({ wrapper, actions, onPickPlaylist, more }: Props) {
  const { t } = useTranslation()
  const { podcastEpisode: episode } = wrapper
  const [queueItems, deviceItems, fileItems, deletion] = [
    useQueueItems(wrapper, actions),
    useDeviceItems(wrapper, actions),
    useFileItems(wrapper, actions),
    useDeletion(wrapper, actions),
  ]
  return (
    <Menu
      icon={Ellipsis}
      label={t('more-of', { name: episode.name })}
      items={() => [
        ...queueItems(),
        { icon: ListPlus, label: t('add-to-a-playlist'), onSelect: onPickPlaylist },
        ...deviceItems(),
        ...more,
        ...fileItems(),
        ...deletion(),
      ]}
    />
  )
}
