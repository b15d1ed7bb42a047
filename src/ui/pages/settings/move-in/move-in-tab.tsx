import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../../app-context'
import { Skeleton } from '../../../components/states'
import { useAdministrationApi } from '../../../use-administration'
import { useResource } from '../../../use-resource'
import { EarlierMoves } from './earlier-moves'
import { MoveCard } from './move-card'
import { MoveSources } from './move-sources'
import { SourceForm } from './source-form'
import { useMoveNews, useMoves } from './use-moves'
import './move-in-tab.css'

const atWork = new Set(['reading', 'ready', 'adding', 'applying', 'undoing'])

/** Imports the library of another program: a file, a rehearsal, progress, and a report that stays. */
export function MoveInTab() {
  useSignals()
  const { moving, failed } = useApp()
  const { t } = useTranslation()
  const moves = useMoves()
  const sources = useResource(useAdministrationApi().moves.sources, [])
  const [wantsAnother, setWantsAnother] = useState(false)
  useMoveNews(moves.load)
  const dropped = moving.dropped.value
  useEffect(() => {
    const file = dropped && moving.claim()
    if (file) void moves.bring(file, null).catch(failed)
  }, [dropped, moves, moving, failed])

  const [latest, ...earlier] = moves.list.value ?? []
  const isFree = !latest || (!atWork.has(latest.state) && (wantsAnother || latest.state === 'failed'))
  const asksForFile = isFree || (latest?.state === 'receiving' && moves.upload.value === null)
  // What is below the programs waits for them, so that it does not shift when they arrive.
  const isWhole = !asksForFile || sources.data !== null || sources.error !== null
  return (
    <div className="move-in">
      <p className="muted">{t('move-in-text')}</p>
      {moves.list.value === null && <Skeleton kind="row" count={3} />}
      {latest && <MoveCard key={latest.id} move={latest} onAnother={isFree ? null : () => setWantsAnother(true)} />}
      {moves.list.value !== null && asksForFile && <SourceForm onBrought={() => setWantsAnother(false)} />}
      {moves.list.value !== null && asksForFile && sources.data && <MoveSources sources={sources.data} />}
      {isWhole && earlier.length > 0 && <EarlierMoves moves={earlier} />}
    </div>
  )
}
