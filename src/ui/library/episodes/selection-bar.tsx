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
import type { EpisodeWrapper, QueueTurn } from '../../../shared/api/episode'
import { type AppState, useApp } from '../../app-context'
import { IconButton } from '../../components/icon-button'
import { inGroups, Menu, type MenuItem } from '../../components/menu'
import { formatBytes, formatMinutes } from '../../format'
import type { PagedList } from '../../state/paged-list'
import type { Selection } from '../../state/selection'
import { PickPlaylistDialog } from '../playlists'
import { isNew } from './episode-target'
import { changeNew, idsOfNew } from './new-episodes'
import './lists.css'
import { FormDialog } from '../forms/form-dialog'
import { translate } from '../../i18n'

type Props = { selection: Selection<EpisodeWrapper>; list: PagedList<EpisodeWrapper> }
type Question = 'playlist' | 'download' | null

/** The actions on the selected episodes. The bar replaces the filters while rows are being selected. */
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
      {seconds > 0 && <span className="selection-time text-s nowrap numbers">{formatMinutes(seconds)}</span>}
      <span className="grow" />
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
      chosen.some(isNew)
        ? { icon: CircleCheck, label: t('mark-not-new'), onSelect: () => void actions.markNotNew() }
        : { icon: Clock, label: t('mark-new'), onSelect: () => void actions.markNew() },
    ],
    [all],
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

type SelectionActions = ReturnType<typeof selectionActions>

type Target = { app: AppState; ids: readonly string[]; wrappers: readonly EpisodeWrapper[] }

/** The actions on all selected episodes. Each ends the selection once it is done, and offers undo if possible. */
function selectionActions(app: AppState, selection: Selection<EpisodeWrapper>) {
  const guarded = (action: (target: Target) => Promise<unknown>) => () => {
    const wrappers = selection.items.peek()
    const target = { app, wrappers, ids: wrappers.map(({ podcastEpisode }) => podcastEpisode.id) }
    return action(target).then(selection.end, app.failed)
  }
  return {
    queueNext: guarded(target => queue(target, 'next')),
    queueLast: guarded(target => queue(target, 'last')),
    markPlayed: guarded(target => mark(target, true)),
    markUnplayed: guarded(target => mark(target, false)),
    markNew: guarded(({ ids }) => changeNew(app, ids, true)),
    markNotNew: guarded(({ wrappers }) => changeNew(app, idsOfNew(wrappers), false)),
    like: guarded(target => like(target, true)),
    unlike: guarded(target => like(target, false)),
    download: guarded(download),
    deleteFiles: guarded(deleteFiles),
  }
}

/** Shows what was done, and offers to undo it unless nothing was. */
function report({ app }: Target, text: string, undo: () => Promise<unknown>) {
  app.toasts.done(text, { label: translate('undo'), run: () => void undo().catch(app.failed) })
}

async function queue(target: Target, at: QueueTurn) {
  const restore = await target.app.queue.addAll(target.ids, at)
  report(
    target,
    translate(at === 'next' ? 'play-next-count' : 'queued-episodes', { count: target.ids.length }),
    restore,
  )
}

async function mark(target: Target, finished: boolean) {
  const { app, ids } = target
  const { affected, undo } = await app.api.episodes.batch.mark(ids, finished)
  refresh(app)
  report(
    target,
    translate(finished ? 'marked-count-played' : 'marked-count-unplayed', { count: affected }),
    async () => {
      await app.api.episodes.batch.undoMark(undo)
      refresh(app)
    },
  )
}

/** Shows what a marking changed: there are no events for each episode. */
function refresh({ changes, library }: AppState) {
  changes.all()
  void library.load().catch(() => undefined)
}

async function like(target: Target, favored: boolean) {
  const { app, wrappers } = target
  // Undo does not change those that were already liked, or already not.
  const ids = wrappers.flatMap(({ podcastEpisode: { id, favored: before } }) => (before === favored ? [] : [id]))
  const change = async (to: boolean) => {
    await app.api.episodes.batch.like(ids, to)
    for (const id of ids) app.changes.edited(id, episode => ({ ...episode, favored: to }))
  }
  await change(favored)
  report(target, translate(favored ? 'liked-count' : 'unliked-count', { count: ids.length }), () => change(!favored))
}

async function download(target: Target) {
  const { app, ids } = target
  const { queued, undo } = await app.api.episodes.batch.download(ids)
  report(target, translate('downloads-queued', { count: queued }), async () => {
    const { affected } = await app.api.episodes.batch.undoDownload(undo)
    app.toasts.done(translate('downloads-cancelled', { count: affected }))
  })
}

async function deleteFiles({ app, ids, wrappers }: Target) {
  const { affected } = await app.api.episodes.batch.deleteFiles(ids)
  const gone = wrappers.flatMap(({ podcastEpisode: { id, status } }) => (status ? [id] : []))
  app.toasts.done(translate('files-deleted', { count: affected }), {
    label: translate('download-again'),
    run: () => void app.api.episodes.batch.download(gone).catch(app.failed),
  })
}
