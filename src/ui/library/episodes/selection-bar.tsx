import { useSignals } from '@preact/signals-react/runtime'
import type { TFunction } from 'i18next'
import {
  Download,
  Check,
  CircleDashed,
  Ellipsis,
  SquareCheck,
  ListPlus,
  ListVideo,
  ListStart,
  ThumbsUp,
  Trash2,
  X,
  type LucideIcon,
} from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/icon-button'
import { inGroups, Menu, type MenuItem } from '../../components/menu'
import { formatMinutes } from '../../format'
import type { PagedList } from '../../state/paged-list'
import type { Selection } from '../../state/selection'
import { PickPlaylistDialog } from '../playlists'
import { selectionActions, type SelectionActions } from './selection-actions'
import { SelectionDownload } from './selection-download'
import './selection-bar.css'

type Props = { selection: Selection<EpisodeWrapper>; list: PagedList<EpisodeWrapper> }
type Question = 'playlist' | 'download' | null

/** The actions on the selected episodes. The bar takes the place of the filters while rows are being selected. */
export function SelectionBar({ selection, list }: Props) {
  useSignals()
  const app = useApp()
  const { t } = useTranslation()
  const [question, setQuestion] = useState<Question>(null)
  const actions = selectionActions(app, selection)
  const chosen = selection.items.value
  const count = chosen.length
  const seconds = chosen.reduce((sum, wrapper) => sum + secondsLeft(wrapper), 0)
  const more = () =>
    moreItems({
      t,
      actions,
      chosen,
      mayUpload: app.session.mayUpload.value,
      onAsk: setQuestion,
      selectAll: () => selection.chooseAll(list.items.peek()),
    })
  const act = (icon: LucideIcon, text: string, run: () => unknown) => (
    <BarButton icon={icon} text={t(text)} isDisabled={count === 0} onPress={run} />
  )
  return (
    <div
      className="selection-bar"
      role="toolbar"
      tabIndex={-1}
      aria-label={t('selected-episodes')}
      onKeyDown={moveFocus}
    >
      <IconButton icon={X} label={t('leave-selection')} onClick={selection.end} />
      <b className="numbers" aria-live="polite">
        <span className="selection-words">{t('selected-count', { count })}</span>
        <span className="selection-number" aria-hidden="true">
          {count}
        </span>
      </b>
      {seconds > 0 && <span className="selection-time numbers">{formatMinutes(seconds)}</span>}
      <span className="selection-gap" />
      {act(ListStart, 'play-next', actions.queueNext)}
      {act(ListPlus, 'queue', actions.queueLast)}
      {app.session.mayUpload.value && act(Download, 'download', () => setQuestion('download'))}
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

/** An icon with a word next to it where there is room. */
function BarButton({ icon: Icon, text, isDisabled, onPress }: BarButtonProps) {
  return (
    <button
      type="button"
      className="selection-action"
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
  selectAll: () => void
}

function moreItems({ t, actions, chosen, mayUpload, onAsk, selectAll }: MoreNeeds): MenuItem[] {
  const all: MenuItem = { icon: SquareCheck, label: t('select-all-loaded'), onSelect: selectAll }
  if (chosen.length === 0) return [all]
  const areLiked = chosen.every(({ podcastEpisode }) => podcastEpisode.favored)
  const haveFiles = chosen.some(({ podcastEpisode }) => podcastEpisode.status)
  return inGroups(
    [
      { icon: ListVideo, label: t('add-to-a-playlist'), onSelect: () => onAsk('playlist') },
      areLiked
        ? { icon: ThumbsUp, label: t('unlike'), onSelect: () => void actions.unlike() }
        : { icon: ThumbsUp, label: t('like'), onSelect: () => void actions.like() },
      { icon: CircleDashed, label: t('mark-unplayed'), onSelect: () => void actions.markUnplayed() },
    ],
    [all],
    mayUpload && haveFiles
      ? [{ icon: Trash2, label: t('delete-their-files'), isDanger: true, onSelect: () => void actions.deleteFiles() }]
      : [],
  )
}

/** Moves the focus along the bar, as toolbars do. */
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
