import { useSignals } from '@preact/signals-react/runtime'
import type { TFunction } from 'i18next'
import {
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
import type { AllMatching, EpisodeWrapper } from '../../../shared/api/episode'
import type { MatchingEpisodes } from '../../../shared/api/matching'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/buttons'
import { inGroups, Menu, type MenuItem } from '../../components/menu'
import { formatBytes } from '../../format-facts'
import { formatCount, formatMinutes } from '../../format'
import type { PagedList } from '../../state/paged-list'
import type { Selection } from '../../state/selection'
import { PickPlaylistDialog } from '../playlists'
import { isNew } from './episode-target'
import { type SelectionActions, selectionActions } from './selection-actions'
import './lists.css'
import { FormDialog } from '../forms/form-dialog'

type Props = {
  selection: Selection<EpisodeWrapper>
  list: Pick<PagedList<EpisodeWrapper>, 'items' | 'length'>
  /** The list as a filter; absent where it can't be named by one. */
  matching?: MatchingEpisodes | undefined
}
type Question = 'playlist' | 'download' | 'delete' | null

/** The actions on the selected episodes. The bar replaces the filters while rows are being selected. */
export function SelectionBar({ selection, list, matching }: Props) {
  useSignals()
  const app = useApp()
  const { t } = useTranslation()
  const [question, setQuestion] = useState<Question>(null)
  const isEverything = selection.everything.value !== null
  const except = [...(selection.everything.value?.except ?? [])]
  const filter = isEverything && matching ? { ...matching, ...(except.length > 0 && { except }) } : undefined
  const actions = selectionActions(app, selection, filter)
  const chosen = selection.items.value
  const count = selection.count.value
  const seconds = chosen.reduce((sum, wrapper) => sum + secondsLeft(wrapper), 0)
  const more = () =>
    moreItems({
      t,
      actions,
      chosen,
      filter,
      mayUpload: app.session.mayUpload.value,
      onAsk: setQuestion,
      selectAll: () => selection.chooseAll(list.items.peek()),
    })
  const act = (icon: LucideIcon, text: string, run: () => unknown) => (
    <BarButton icon={icon} text={t(text)} isDisabled={count === 0} onPress={run} />
  )
  return (
    <>
      <div
        className="selection-bar sticky solid curved row gap-4"
        role="toolbar"
        tabIndex={-1}
        aria-label={t('selected-episodes')}
        onKeyDown={moveFocus}
      >
        <IconButton icon={X} label={t('leave-selection')} onClick={selection.end} />
        <b className="numbers truncate shrinks" aria-live="polite">
          <span className="selection-words">{t('selected-count', { count })}</span>
          <span className="selection-number" aria-hidden="true">
            {formatCount(count)}
          </span>
        </b>
        {!isEverything && seconds > 0 && (
          <span className="selection-time text-s nowrap numbers">{formatMinutes(seconds)}</span>
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
        <Questions
          question={question}
          chosen={chosen}
          count={count}
          actions={actions}
          filter={filter}
          onClose={() => setQuestion(null)}
        />
      </div>
      {matching && <EverythingLine selection={selection} total={list.length.value} />}
    </>
  )
}

type QuestionsProps = {
  question: Question
  chosen: readonly EpisodeWrapper[]
  count: number
  actions: SelectionActions
  filter: AllMatching | undefined
  onClose: () => void
}

/** The dialogs of the bar. */
function Questions({ question, chosen, count, actions, filter, onClose }: QuestionsProps) {
  const { t } = useTranslation()
  if (question === 'playlist')
    return <PickPlaylistDialog episode={chosen.map(row => row.podcastEpisode)} matching={filter} onClose={onClose} />
  if (question === 'download')
    return <SelectionDownload chosen={chosen} onDownload={actions.download} onClose={onClose} />
  if (question === null) return null
  const text = t('delete-their-files')
  return (
    <FormDialog title={text} action={text} isDanger onSubmit={actions.deleteFiles} onClose={onClose}>
      <p>{t('delete-files-ask', { count })}</p>
    </FormDialog>
  )
}

type EverythingLineProps = Pick<Props, 'selection'> & { total: number }

/** Offers to select also what is not loaded, once everything else is selected. */
function EverythingLine({ selection, total }: EverythingLineProps) {
  useSignals()
  const { t } = useTranslation()
  const isEverything = selection.everything.value !== null
  const { size } = selection.byId.value
  const isAllLoaded = selection.isAllLoaded.value && size < total
  if (!isEverything && !isAllLoaded) return null
  const isWhole = selection.everything.value?.except.size === 0
  const [text, label, act] = isWhole
    ? [t('everything-selected', { total: formatCount(total) }), t('clear'), () => selection.chooseAll([])]
    : [
        isEverything ? t('selected-count', { count: selection.count.value }) : t('loaded-selected', { count: size }),
        t('select-everything', { total: formatCount(total) }),
        () => selection.chooseEverything(total),
      ]
  return (
    <div className="selection-line inset-8 sticky curved list-width wrap row centred text-s" role="status">
      <span>{text}</span>
      <button type="button" className="plain accent strong" onClick={act}>
        {label}
      </button>
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
      className="selection-action inset-12 reachable inherited centred rigid nowrap plain with-icon"
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
  /** Set if everything that matches it is selected, of which little is known. */
  filter: AllMatching | undefined
  mayUpload: boolean
  onAsk: (question: Question) => void
  selectAll: () => void
}

/** Deleting more files than that is asked about first. */
const MAX_UNASKED = 50

const isOfLiked = (filter: AllMatching) =>
  'podcast' in filter ? filter.liked : 'yours' in filter && filter.yours === 'liked'

function moreItems({ t, actions, chosen, filter, mayUpload, onAsk, selectAll }: MoreNeeds): MenuItem[] {
  const selecting = [{ icon: SquareCheck, label: t('select-all-loaded'), onSelect: selectAll }]
  if (chosen.length === 0 && !filter) return selecting
  const item = (icon: LucideIcon, text: string, run: () => unknown): MenuItem => ({
    icon,
    label: t(text),
    onSelect: () => void run(),
  })
  const areLiked = filter ? isOfLiked(filter) : chosen.every(({ podcastEpisode }) => podcastEpisode.favored)
  const someAreNew = filter !== undefined || chosen.some(isNew)
  const someAreOld = filter ? !('podcast' in filter && filter.only_new) : !chosen.some(isNew)
  const haveFiles = filter !== undefined || chosen.some(({ podcastEpisode }) => podcastEpisode.status)
  const isMuch = filter !== undefined || chosen.length > MAX_UNASKED
  const remove = item(Trash2, 'delete-their-files', isMuch ? () => onAsk('delete') : actions.deleteFiles)
  return inGroups(
    [
      item(ListVideo, 'add-to-a-playlist', () => onAsk('playlist')),
      ...(areLiked ? [] : [item(ThumbsUp, 'like', actions.like)]),
      ...(areLiked || filter ? [item(ThumbsUp, 'unlike', actions.unlike)] : []),
      item(CircleDashed, 'mark-unplayed', actions.markUnplayed),
      ...(someAreNew ? [item(X, 'mark-not-new', actions.markNotNew)] : []),
      ...(someAreOld ? [item(Clock, 'mark-new', actions.markNew)] : []),
    ],
    selecting,
    mayUpload && haveFiles ? [{ ...remove, isDanger: true }] : [],
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
