import { ChevronDown, Layers, ListMusic, Share2, SlidersHorizontal, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { IconButton } from '../components/icon-button'
import { lazily } from '../components/lazily'
import { shareLink } from '../device/share'
import { episodeActions } from '../library/episodes/episode-actions'
import { EpisodeMenu } from '../library/episodes/episode-menu'
import { RemoteButton } from './buttons'
import type { Playing } from '../playback/state'
import { useMomentAddress } from './use-moment-address'
import { useSignals } from '@preact/signals-react/runtime'
import { Menu } from '../components/menu'
import { factsOfForm, nameOfForm } from '../library/episodes/form-words'
import { useResource } from '../use-resource'

const PickPlaylistDialog = lazily(
  async () => (await import('../library/playlists/pick-playlist-dialog')).PickPlaylistDialog,
)
const ShareDialog = lazily(async () => (await import('./sheet-dialogs')).ShareDialog)
const SkipLengthsDialog = lazily(async () => (await import('./sheet-dialogs')).SkipLengthsDialog)

type Props = { playing: Playing; isQueueShown: boolean; onQueue: () => void; onClose: () => void }

/** The line at the top of the open player. */
export function SheetHeader({ playing, isQueueShown, onQueue, onClose }: Props) {
  const app = useApp()
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'playlist' | 'skip-lengths' | 'share' | null>(null)
  const { episode, podcastName } = playing
  const wrapper = { podcastEpisode: episode, podcastHistoryItem: null }
  const closeDialog = () => setDialog(null)
  return (
    <header className="sheet-header over relative row gap-4">
      <IconButton icon={ChevronDown} label={t('close-player')} onClick={onClose} />
      <span className="grow" />
      <FormMenu playing={playing} />
      <RemoteButton />
      <IconButton icon={Share2} label={t('share')} onClick={() => setDialog('share')} />
      <IconButton icon={ListMusic} label={t('queue')} aria-expanded={isQueueShown} onClick={onQueue} />
      <EpisodeMenu
        wrapper={wrapper}
        actions={episodeActions(app, wrapper, podcastName)}
        onPickPlaylist={() => setDialog('playlist')}
        moreOf={() => [
          { icon: SlidersHorizontal, label: t('skip-lengths'), onSelect: () => setDialog('skip-lengths') },
          { icon: X, label: t('dismiss-player'), onSelect: app.player.clear },
        ]}
      />
      {dialog === 'playlist' && <PickPlaylistDialog episode={episode} onClose={closeDialog} />}
      {dialog === 'share' && <ShareDialog playing={playing} onClose={closeDialog} />}
      {dialog === 'skip-lengths' && <SkipLengthsDialog onClose={closeDialog} />}
    </header>
  )
}

/** Returns the function that shares a link to a second of an episode. */
export function useShare(playing: Playing) {
  const { toasts } = useApp()
  const addressAt = useMomentAddress(playing)
  const { t } = useTranslation()
  async function share(seconds: number) {
    const href = addressAt(seconds)
    const outcome = await shareLink(playing.episode.name, href)
    if (outcome === 'copied') toasts.done(t('link-copied'))
    if (outcome === 'failed') toasts.failed(t('link-not-copied', { link: href }))
  }
  return (seconds: number) => void share(seconds)
}

/** Chooses among the forms of the episode that plays; nothing if its feed offers only one. */
function FormMenu({ playing: { episode, form } }: { playing: Playing }) {
  useSignals()
  const { api, player } = useApp()
  const { t } = useTranslation()
  const { data, isStale } = useResource((_, eid: string) => api.episodes.find(eid), [episode.episode_id])
  const forms = isStale ? [] : (data?.extras.forms ?? [])
  if (forms.length === 0) return null
  return (
    <Menu
      icon={Layers}
      label={t('forms')}
      items={[
        { label: t('form-main'), isChecked: !form, onSelect: () => player.chooseForm(null) },
        ...forms.map(one => ({
          label: [nameOfForm(one), factsOfForm(one)].filter(Boolean).join(' · '),
          isChecked: one.id === form?.id,
          onSelect: () => player.chooseForm(one),
        })),
      ]}
    />
  )
}
