import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../../app-context'
import { Failed, Skeleton } from '../../../components/states'
import { useAdministrationApi } from '../../../use-administration'
import { useResource } from '../../../use-resource'
import { Receiving, SourceForm } from './source-form'
import { DropButton, MoveSteps, UndoButton, useMoveNews, useMoves } from './moves'
import './move-in.css'
import type { Move } from '../../../../shared/api/move'
import { CountTable, EarlierMove, MoveCounts, MoveEnded, MovePodcasts } from './move-report'
import { BusyButton } from '../../../components/buttons'
import { Notice } from '../../../components/notice'
import { onSubmit, useAction } from '../../../components/use-action'
import { TextField } from '../../../components/fields'
import { describeFailure } from '../../../failure'
import { SettingGroup, SettingSwitch } from '../../../library/forms/setting-row'

/** The step in which a person is with an import. */
const stepOf = (move: Move | undefined) =>
  !move || move.state === 'receiving'
    ? 'choose'
    : move.state === 'reading' || move.state === 'ready'
      ? 'look'
      : 'import'

/** After these, what was entered is not needed again. */
const ended = new Set(['done', 'undone'])
const atWork = new Set(['reading', 'ready', 'adding', 'applying', 'undoing'])

/** Imports the library of another program: a file, a rehearsal, progress, and a report that stays. */
export function MoveInTab() {
  useSignals()
  const { moving, failed } = useApp()
  const moves = useMoves()
  const sources = useResource(useAdministrationApi().moves.sources, [])
  const [wantsAnother, setWantsAnother] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const load = () => moves.load().then(() => setFailure(null), setFailure)
  useMoveNews(load)
  const dropped = moving.dropped.value
  useEffect(() => {
    const file = dropped && moving.claim()
    if (file) void moves.bring(file, null).catch(failed)
  }, [dropped, moves, moving, failed])

  const [latest, ...earlier] = moves.list.value ?? []
  const isFree = !latest || (!atWork.has(latest.state) && (wantsAnother || latest.state === 'failed'))
  const asksForFile = isFree || (latest?.state === 'receiving' && moves.upload.value === null)
  // Content below the programs waits for them, so that it does not shift when they arrive.
  const isWhole = !asksForFile || sources.data !== null || sources.error !== null
  return (
    <div className="move-in">
      <MoveSteps current={stepOf(isFree ? undefined : latest)} />
      {moves.list.value === null && failure === null && <Skeleton kind="row" count={3} />}
      {moves.list.value === null && failure !== null && <Failed error={failure} onRetry={() => void load()} />}
      {latest && <MoveCard key={latest.id} move={latest} onAnother={isFree ? null : () => setWantsAnother(true)} />}
      {asksForFile && sources.error !== null && <Failed error={sources.error} onRetry={() => void sources.retry()} />}
      {moves.list.value !== null && (
        <SourceForm
          key={moves.list.value.filter(({ state }) => ended.has(state)).length}
          sources={sources.data ?? []}
          hidden={!asksForFile}
          onBrought={() => setWantsAnother(false)}
        />
      )}
      {isWhole && earlier.length > 0 && <EarlierMoves moves={earlier} />}
    </div>
  )
}

/** Reports of moves before the latest one. */
function EarlierMoves({ moves }: { moves: readonly Move[] }) {
  const { t } = useTranslation()
  return (
    <section>
      <h2>{t('move-earlier')}</h2>
      {moves.map(move => (
        <EarlierMove key={move.id} move={move} />
      ))}
    </section>
  )
}

/** The current step of a move, with its actions. `onAnother`: another file may be chosen. */
function MoveCard({ move, onAnother }: { move: Move; onAnother: (() => void) | null }) {
  if (move.setAside) return <MoveSetAside move={move} />
  switch (move.state) {
    case 'receiving':
      return <Receiving move={move} />
    case 'reading':
      return <Reading move={move} />
    case 'ready':
      return <MoveReady move={move} />
    case 'adding':
    case 'applying':
      return <MoveAtWork move={move} />
    case 'done':
    case 'failed':
      return <MoveEnded move={move} onAnother={onAnother} />
    case 'undoing':
    case 'undone':
      return <MoveUndone move={move} onAnother={onAnother} />
  }
}

/** A file that is being recognised and rehearsed. */
function Reading({ move: { source, file }, move }: { move: Move }) {
  const { t } = useTranslation()
  const title = source === null ? t('move-reading', { file }) : t('move-reading-from', { source })
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <progress aria-label={title} />
      <p className="muted" role="status">
        {t('move-reading-text')}
      </p>
      <DropButton move={move} />
    </section>
  )
}

/** A running move: its podcasts first, then everything else. */
function MoveAtWork({ move }: { move: Move }) {
  const { id, source, file, state, podcasts, items } = move
  const { t } = useTranslation()
  const title = t(state === 'adding' ? 'move-adding' : 'move-applying', { source: source ?? file })
  const text =
    state === 'adding'
      ? t('move-podcasts-progress', podcasts)
      : t('move-items-progress', { done: items.applied, total: items.total ?? items.applied })
  const value = state === 'adding' ? podcasts.done : items.applied
  const total = state === 'adding' ? podcasts.total : items.total
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <progress aria-label={title} value={value} {...(total !== null && { max: Math.max(total, 1) })} />
      <p className="numbers" role="status">
        {text}
      </p>
      <p className="muted">{t('move-goes-on')}</p>
      <div className="move-actions wrap gap-8">
        <UndoButton move={move} label={t('move-stop')} />
      </div>
      <MovePodcasts id={id} isOpen={state === 'adding'} />
    </section>
  )
}

/** A move that the server no longer works on, since it stopped twice during it. */
export function MoveSetAside({ move }: { move: Move }) {
  const { failed } = useApp()
  const { t } = useTranslation()
  const moves = useMoves()
  const retrying = useAction(() => moves.retry(move.id), failed)
  const title = t('move-set-aside', { file: move.file })
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <Notice isFailure>{t('set-aside-text')}</Notice>
      <div className="move-actions wrap gap-8">
        <BusyButton isBusy={retrying.isBusy} onClick={() => retrying.run()}>
          {t('try-again')}
        </BusyButton>
        {!move.begun && <DropButton move={move} />}
        {move.begun && move.state !== 'undoing' && <UndoButton move={move} label={t('move-undo')} />}
      </div>
    </section>
  )
}

/** A move that is being undone, or was: what was removed, and what stays because people have used it since. */
function MoveUndone({ move, onAnother }: { move: Move; onAnother: (() => void) | null }) {
  const { t } = useTranslation()
  const { state, source, file, undone } = move
  const title = t(state === 'undoing' ? 'move-undoing' : 'move-undone', { source: source ?? file })
  return (
    <section aria-label={title}>
      <div role="status">
        <h2>{title}</h2>
      </div>
      {state === 'undoing' && <progress aria-label={title} />}
      {undone.length > 0 && (
        <CountTable
          title={title}
          headings={[t('move-taken-back'), t('move-kept')]}
          rows={undone.map(row => ({ kind: row.kind, cells: [{ number: row.undone }, { number: row.kept }] }))}
        />
      )}
      {onAnother && state === 'undone' && (
        <div className="move-actions wrap gap-8">
          <button type="button" className="secondary" onClick={onAnother}>
            {t('move-another')}
          </button>
        </div>
      )}
    </section>
  )
}

/** The preview of an import, before anything changes. */
function MoveReady({ move: { id, source, file, counts }, move }: { move: Move }) {
  useSignals()
  const { failed, session } = useApp()
  const { t } = useTranslation()
  const moves = useMoves()
  const beginning = useAction(() => moves.begin(id), failed)
  const title = t('move-ready', { source: source ?? file })
  const hasNews = counts.some(({ taken }) => taken > 0)
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {hasNews ? <p className="muted">{t('move-ready-text')}</p> : <Notice title={t('move-nothing')} />}
      <MoveCounts title={title} counts={counts} isAhead />
      {session.isAdmin.value && <MoveOptionsForm key={JSON.stringify(move.options)} move={move} />}
      <div className="move-actions wrap gap-8">
        {hasNews && (
          <BusyButton isBusy={beginning.isBusy} onClick={() => beginning.run()}>
            {t('move-begin')}
          </BusyButton>
        )}
        <DropButton move={move} />
      </div>
    </section>
  )
}

/** Options for admins, where the source has them: people without an account here, and files. */
function MoveOptionsForm({ move: { id, counts, options, sendsFiles } }: { move: Move }) {
  const { t } = useTranslation()
  const moves = useMoves()
  const [withPeople, setWithPeople] = useState(options.withPeople)
  const [fetchFiles, setFetchFiles] = useState(options.fetchFiles ?? false)
  const [there, setThere] = useState(options.files?.there ?? '')
  const [here, setHere] = useState(options.files?.here ?? '')
  const choosing = useAction(() =>
    moves.choose(id, {
      withPeople,
      fetchFiles,
      files: fetchFiles || here.trim() === '' ? null : { there: there.trim(), here: here.trim() },
    }),
  )
  const isLeftOut = (wanted: string) => counts.some(({ reasons }) => reasons.some(({ reason }) => reason === wanted))
  const hasPeople = options.withPeople || isLeftOut('no-account')
  const canFetch = sendsFiles && (fetchFiles || isLeftOut('no-folder'))
  const hasFiles = !sendsFiles && (options.files !== null || isLeftOut('no-folder'))
  if (!hasPeople && !hasFiles && !canFetch) return null
  return (
    <form className="move-options above-24" onSubmit={onSubmit(() => choosing.run())}>
      <SettingGroup title={t('move-options')}>
        {hasPeople && (
          <SettingSwitch
            label={t('move-with-people')}
            help={t('move-with-people-help')}
            isOn={withPeople}
            onChange={setWithPeople}
          />
        )}
        {canFetch && (
          <SettingSwitch
            label={t('move-with-files')}
            help={t('move-fetch-help')}
            isOn={fetchFiles}
            onChange={setFetchFiles}
          />
        )}
        {hasFiles && (
          <fieldset className="padded move-card">
            <legend className="wide strong">{t('move-with-files')}</legend>
            <p className="muted">{t('move-with-files-help')}</p>
            <TextField
              label={t('move-files-here')}
              placeholder="/srv/podfetch/podcasts"
              value={here}
              spellCheck={false}
              autoCapitalize="off"
              failure={choosing.failure === null ? null : describeFailure(choosing.failure)}
              onChange={setHere}
            />
            <TextField
              label={t('move-files-there')}
              placeholder="podcasts"
              value={there}
              spellCheck={false}
              autoCapitalize="off"
              onChange={setThere}
            />
          </fieldset>
        )}
      </SettingGroup>
      <BusyButton type="submit" className="secondary" isBusy={choosing.isBusy}>
        {t('move-try-again')}
      </BusyButton>
    </form>
  )
}
