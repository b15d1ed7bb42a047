import { useSignals } from '@preact/signals-react/runtime'
import { Pause, Play } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Download, DownloadList } from '../../../shared/api/download'
import { useApp } from '../../app-context'
import { Empty, Failed, Skeleton } from '../../components/states'
import { routes } from '../../routes'
import { InfoHeader } from '../../library/headers/info-header'
import { DownloadRow } from './download-row'
import './downloads-page.css'

/** What is being fetched, what waits and why, and what was given up. */
export function DownloadsPage() {
  useSignals()
  const { api, downloads, session, failed } = useApp()
  const { t } = useTranslation()
  const [list, setList] = useState<DownloadList | null>(null)
  const [error, setError] = useState<unknown>(null)
  const load = useCallback(() => {
    setError(null)
    api.downloads.page(null).then(({ data }) => setList(data), setError)
  }, [api])
  // The order and the reasons are the server's: whenever a download changes its state, they are asked for again.
  const states = [...downloads.byEpisode.value].map(([eid, { state }]) => `${eid}${state}`).join()
  useEffect(load, [states, load])

  async function act(work: Promise<unknown>) {
    await work.catch(failed)
    await downloads.load().catch(() => undefined)
    load()
  }
  const isPaused = list?.paused ?? false
  const unfinished = list ? list.counts.running + list.counts.queued + list.counts.waiting + list.counts.paused : 0
  return (
    <>
      <InfoHeader current={routes.downloads}>
        {session.mayUpload.value && (unfinished > 0 || isPaused) && (
          <button
            type="button"
            className="secondary with-icon"
            onClick={() => void act(isPaused ? api.downloads.resumeAll() : api.downloads.pauseAll())}
          >
            {isPaused ? <Play size={18} aria-hidden="true" /> : <Pause size={18} aria-hidden="true" />}
            {isPaused ? t('resume-all') : t('pause-all')}
          </button>
        )}
      </InfoHeader>
      {error !== null && !list && <Failed error={error} onRetry={load} />}
      {!list && error === null && <Skeleton kind="row" count={4} />}
      {list && isPaused && <p className="downloads-paused">{t('downloads-paused')}</p>}
      {list?.items.length === 0 && (
        <Empty>{t(session.mayUpload.value ? 'no-downloads' : 'no-downloads-for-listeners')}</Empty>
      )}
      {list && list.items.length > 0 && (
        <>
          <p className="muted">{summary(list, t)}</p>
          <ul className="download-list">
            {list.items.map((item: Download) => (
              <DownloadRow
                key={item.id}
                download={item}
                live={downloads.byEpisode.value.get(item.episode_id) ?? null}
                isMine={session.mayUpload.value}
                onPause={() => void act(api.downloads.pause(item.id))}
                onResume={() => void act(api.downloads.resume(item.id))}
                onCancel={() => void act(api.downloads.cancel(item.id))}
              />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function summary({ counts }: DownloadList, t: (key: string, values: { count: number }) => string): string {
  const parts = (['running', 'queued', 'waiting', 'paused', 'failed'] as const).filter(state => counts[state] > 0)
  return parts.map(state => t(`downloads-${state}`, { count: counts[state] })).join(' · ')
}
