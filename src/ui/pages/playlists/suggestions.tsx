import { useSignals } from '@preact/signals-react/runtime'
import { ClockAlert, Footprints, type LucideIcon, Moon, Play, WifiOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { Suggestion } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/buttons'
import { formatMinutes } from '../../format'
import { FormDialog } from '../../library/forms/form-dialog'
import { EpisodeLine } from '../../library/playlists/wizard-rules'
import { useResource } from '../../use-resource'
import './playlists.css'
import { lengthOf, orderOf, usePlaylistActions } from './use-playlist-actions'

type Kind = Suggestion['kind'] | 'device'
type Shown = { kind: Kind; items: readonly EpisodeWrapper[] }

const icons: Record<Kind, LucideIcon> = { walk: Footprints, almost: ClockAlert, sleep: Moon, device: WifiOff }

/** Suggests lists of episodes to play now; none is stored. `onKept`: one of them has become a playlist. */
export function Suggestions({ onKept }: { onKept: () => void }) {
  useSignals()
  const { api, kept, failed } = useApp()
  const { t } = useTranslation()
  const { data, retry } = useResource(api.playlists.suggestions, [])
  const [opened, setOpened] = useState<Shown | null>(null)
  if (data === null) return null
  const show = (isShown: boolean) => void api.playlists.showSuggestions(isShown).then(retry).catch(failed)
  if (!data.isShown)
    return (
      <button type="button" className="quiet small" onClick={() => show(true)}>
        {t('show-suggestions')}
      </button>
    )
  const device = kept.episodes.value
    .map(({ wrapper }) => wrapper)
    .filter(({ podcastHistoryItem }) => !podcastHistoryItem?.finished)
  const all: Shown[] = [...data.suggestions, ...(device.length > 1 ? [{ kind: 'device' as const, items: device }] : [])]
  if (all.length === 0) return null
  return (
    <section aria-labelledby="suggested">
      <div className="playlists-heading row gap-8">
        <h2 className="flush grow" id="suggested">
          {t('suggested')}
        </h2>
        <button type="button" className="quiet small" onClick={() => show(false)}>
          {t('hide')}
        </button>
      </div>
      <ul className="suggestions stack gap-12">
        {all.map(one => (
          <Tile key={one.kind} suggestion={one} onOpen={() => setOpened(one)} />
        ))}
      </ul>
      {opened && <SuggestionDialog suggestion={opened} onKept={onKept} onClose={() => setOpened(null)} />}
    </section>
  )
}

function Tile({ suggestion: { kind, items }, onOpen }: { suggestion: Shown; onOpen: () => void }) {
  const { t } = useTranslation()
  const { play } = usePlaylistActions()
  const Icon = icons[kind]
  const name = t(`suggestion.${kind}`)
  return (
    <li className="card suggestion relative row gap-12">
      <span className="suggestion-glyph soft accent rigid center">
        <Icon size={22} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <button type="button" className="plain ink start grow whole" aria-haspopup="dialog" onClick={onOpen}>
        <span className="title truncate block">{name}</span>
        <span className="muted regular truncate block numbers">
          <Size kind={kind} items={items} />
        </span>
      </button>
      <IconButton
        icon={Play}
        label={t('play-podcast', { name })}
        className="is-accent filled over suggestion-play"
        onClick={() => void play(null, items)}
      />
    </li>
  )
}

function Size({ kind, items }: Shown) {
  const { t } = useTranslation()
  const { left } = lengthOf(items)
  const time = left > 0 && formatMinutes(left)
  return [t('episodes-count', { count: items.length }), time && (kind === 'almost' ? t('time-left', { time }) : time)]
    .filter(Boolean)
    .join(' · ')
}

type DialogProps = { suggestion: Shown; onKept: () => void; onClose: () => void }

/** The episodes of a suggestion, and the button that makes a playlist of them. */
function SuggestionDialog({ suggestion: { kind, items }, onKept, onClose }: DialogProps) {
  const { api, toasts } = useApp()
  const { t } = useTranslation()
  const name = t(`suggestion.${kind}`)
  async function keep() {
    await api.playlists.create({ name, items: orderOf(items) })
    toasts.done(t('created-playlist'))
    onKept()
  }
  return (
    <FormDialog title={name} action={t('keep-as-playlist')} onSubmit={keep} onClose={onClose}>
      <ul className="stack gap-8">
        {items.map(({ podcastEpisode }) => (
          <li className="row gap-12" key={podcastEpisode.id}>
            <EpisodeLine item={podcastEpisode} />
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}
