import { ChevronDown, Layers, ListMusic, Share2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { IconButton } from '../components/icon-button'
import { lazily } from '../components/lazily'
import { RemoteButton } from './buttons'
import type { Playing } from '../playback/state'
import { PlayerMenu } from './player-menu'
import { useSignals } from '@preact/signals-react/runtime'
import { Menu } from '../components/menu'
import { factsOfForm, nameOfForm } from '../library/episodes/form-words'
import { useResource } from '../use-resource'

const ShareDialog = lazily(async () => (await import('./sheet-dialogs')).ShareDialog)

type Props = { playing: Playing; isQueueShown: boolean; onQueue: () => void; onClose: () => void }

/** The line at the top of the open player. */
export function SheetHeader({ playing, isQueueShown, onQueue, onClose }: Props) {
  const { t } = useTranslation()
  const [isSharing, setSharing] = useState(false)
  return (
    <header className="sheet-header over relative row gap-4">
      <IconButton icon={ChevronDown} label={t('close-player')} onClick={onClose} />
      <span className="grow" />
      <FormMenu playing={playing} />
      <RemoteButton />
      <IconButton icon={Share2} label={t('share')} onClick={() => setSharing(true)} />
      <IconButton
        icon={ListMusic}
        label={t('queue')}
        className="sheet-queue"
        aria-expanded={isQueueShown}
        onClick={onQueue}
      />
      <PlayerMenu playing={playing} onLeave={onClose} />
      {isSharing && <ShareDialog playing={playing} onClose={() => setSharing(false)} />}
    </header>
  )
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
