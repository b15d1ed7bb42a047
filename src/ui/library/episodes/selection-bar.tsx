import { useSignals } from '@preact/signals-react/runtime'
import type { TFunction } from 'i18next'
import {
  CircleCheck,
  Clock,
  Check,
  CircleDashed,
  Download,
  Ellipsis,
  ListPlus,
  ListStart,
  ListVideo,
  type LucideIcon,
  SquareCheck,
  ThumbsUp,
  Trash2,
  X,
} from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper, MatchingEpisodes } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/icon-button'
import { inGroups, Menu, type MenuItem } from '../../components/menu'
import { formatBytes, formatCount, formatMinutes } from '../../format'
import type { PagedList } from '../../state/paged-list'
import type { Selection } from '../../state/selection'
import { PickPlaylistDialog } from '../playlists'
import { isNew } from './episode-target'
import { type SelectionActions, selectionActions } from './selection-actions'
import './lists.css'
import { FormDialog } from '../forms/form-dialog'

type Props = {
  selection: Selection<EpisodeWrapper>
  list: PagedList<EpisodeWrapper>
  /** The filter of the list and the number of episodes that match it; absent where the list can't be named by one. */
  matching?: { filter: MatchingEpisodes; total: number } | undefined
}
type Question = 'playlist' | 'download' | null

/** The actions on the selected episodes. The bar replaces the filters while rows are being selected. */
export function SelectionBar({ selection, list, matching }: Props) {
  useSignals()
  const app = useApp()
  const { t } = useTranslation()
  const [question, setQuestion] = useState<Question>(null)
  const actions = selectionActions(app, selection, matching?.filter)
  const chosen = selection.items.value
  const count = selection.count.value
  const isEverything = selection.everything.value !== null
  const chooseEverything =
    matching && matching.total > list.items.value.length && !isEverything
      ? () => selection.chooseEverything(matching.total)
      : null
  const seconds = chosen.reduce((sum, wrapper) => sum + secondsLeft(wrapper), 0)
  const more = () =>
    moreItems({
      t,
      actions,
      chosen,
      mayUpload: app.session.mayUpload.value,
      onAsk: setQuestion,
      isEverything,
      selectAll: () => selection.chooseAll(list.items.peek()),
      everything: chooseEverything && {
        icon: SquareCheck,
        label: t('select-everything', { total: formatCount(matching!.total) }),
        onSelect: chooseEverything,
      },
    })
  const act = (icon: LucideIcon, text: string, run: () => unknown) => (
    <BarButton icon={icon} text={t(text)} isDisabled={count === 0} onPress={run} />
  )
  return (
    <div
      className="selection-bar sticky solid row gap-4"
      role="toolbar"
      tabIndex={-1}
      aria-label={t('selected-episodes')}
      onKeyDown={moveFocus}
    >
      <IconButton icon={X} label={t('leave-selection')} onClick={selection.end} />
      <b className="numbers truncate shrinks" aria-live="polite">
        <span className="selection-words">{t('selected-count', { count })}</span>
        <span className="selection-number" aria-hidden="true">
          {count}
        </span>
      </b>
      {!isEverything && seconds > 0 && (
        <span className="selection-time text-s nowrap numbers">{formatMinutes(seconds)}</span>
      )}
      {chooseEverything && chosen.length === list.items.value.length && (
        <button type="button" className="selection-time plain text-s nowrap" onClick={chooseEverything}>
          <u>{t('select-everything', { total: formatCount(matching!.total) })}</u>
        </button>
      )}
      <span className="grow" />
      {act(ListStart, 'play-next', actions.queueNext)}
      {act(ListPlus, 'queue', actions.queueLast)}
      {app.session.mayUpload.value &&
        act(Download, 'download', () => (isEverything ? actions.download() : setQuestion('download')))}
      {act(Check, 'played', actions.markPlayed)}
      <Menu
        icon={Ellipsis}
        label={t('more-of-selection', { count })}
        heading={t('selected-count', { count })}
        items={more}
      />
      {question === 'playlist' && (
        <PickPlaylistDialog
          episode={chosen.map(({ podcastEpisode }) => podcastEpisode)}
          onClose={() => setQuestion(null)}
        />
      )}
      {question === 'download' && (
        <SelectionDownload chosen={chosen} onDownload={actions.download} onClose={() => setQuestion(null)} />
      )}
    </div>
  )
}

const secondsLeft = ({ podcastEpisode: { total_time }, podcastHistoryItem: history }: EpisodeWrapper) =>
  history?.finished ? total_time : Math.max(0, (history?.total ?? total_time) - (history?.position ?? 0))

type BarButtonProps = { icon: LucideIcon; text: string; isDisabled: boolean; onPress: () => unknown }

/** An icon with a word next to it if there is room. */
function BarButton({ icon: Icon, text, isDisabled, onPress }: BarButtonProps) {
  return (
    <button
      type="button"
      className="selection-action centred rigid nowrap plain with-icon"
      aria-label={text}
      title={text}
      disabled={isDisabled}
      onClick={() => void onPress()}
    >
      <Icon size={18} aria-hidden="true" />
      <span>{text}</span>
    </button>
  )
}

type MoreNeeds = {
  t: TFunction
  actions: SelectionActions
  chosen: readonly EpisodeWrapper[]
  mayUpload: boolean
  onAsk: (question: Question) => void
  isEverything: boolean
  selectAll: () => void
  /** Selects also what is not loaded; null if that is nothing, or is selected. */
  everything: MenuItem | null
}

function moreItems({
  t,
  actions,
  chosen,
  mayUpload,
  onAsk,
  selectAll,
  isEverything,
  everything,
}: MoreNeeds): MenuItem[] {
  const all: MenuItem = { icon: SquareCheck, label: t('select-all-loaded'), onSelect: selectAll }
  const selecting = [all, ...(everything ? [everything] : [])]
  const unplayed = { icon: CircleDashed, label: t('mark-unplayed'), onSelect: () => void actions.markUnplayed() }
  if (isEverything) return inGroups([unplayed], selecting)
  if (chosen.length === 0) return selecting
  const areLiked = chosen.every(({ podcastEpisode }) => podcastEpisode.favored)
  const haveFiles = chosen.some(({ podcastEpisode }) => podcastEpisode.status)
  return inGroups(
    [
      { icon: ListVideo, label: t('add-to-a-playlist'), onSelect: () => onAsk('playlist') },
      areLiked
        ? { icon: ThumbsUp, label: t('unlike'), onSelect: () => void actions.unlike() }
        : { icon: ThumbsUp, label: t('like'), onSelect: () => void actions.like() },
      unplayed,
      chosen.some(isNew)
        ? { icon: CircleCheck, label: t('mark-not-new'), onSelect: () => void actions.markNotNew() }
        : { icon: Clock, label: t('mark-new'), onSelect: () => void actions.markNew() },
    ],
    selecting,
    mayUpload && haveFiles
      ? [{ icon: Trash2, label: t('delete-their-files'), isDanger: true, onSelect: () => void actions.deleteFiles() }]
      : [],
  )
}

/** Moves the focus along the bar, as in toolbars. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (!step || event.defaultPrevented) return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button:enabled')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  if (at === -1) return
  const sign = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
  event.preventDefault()
  buttons[(at + sign * step + buttons.length) % buttons.length]!.focus()
}

type SelectionDownloadProps = {
  chosen: readonly EpisodeWrapper[]
  onDownload: () => Promise<unknown>
  onClose: () => void
}

/** Says how many of the selected episodes would be downloaded and how large they are, and downloads them. */
function SelectionDownload({ chosen, onDownload, onClose }: SelectionDownloadProps) {
  const { t } = useTranslation()
  const missing = chosen.map(row => row.podcastEpisode).filter(({ status, superseded }) => !status && !superseded)
  const count = missing.length
  const sizes = missing.flatMap(({ file_size }) => file_size ?? [])
  const size = formatBytes(sizes.reduce((sum, bytes) => sum + bytes, 0))
  const text = sizes.length === 0 ? 'unknown' : sizes.length < count ? 'at-least' : 'size'
  if (count === 0)
    return (
      <FormDialog title={t('download-to-server')} action={t('done')} onSubmit={async () => undefined} onClose={onClose}>
        <p>{t('all-downloaded')}</p>
      </FormDialog>
    )
  return (
    <FormDialog
      title={t('download-to-server')}
      action={t('download-count', { count })}
      onSubmit={onDownload}
      onClose={onClose}
    >
      <p>{t(`download-all-${text}`, { count, size })}</p>
    </FormDialog>
  )
}
