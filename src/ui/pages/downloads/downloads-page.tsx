import { useSignals } from '@preact/signals-react/runtime'
import { Pause, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { DownloadList } from '../../../shared/api/download'
import { useApp } from '../../app-context'
import { Loaded } from '../../components/loaded'
import { Empty } from '../../components/states'
import { InfoHeader } from '../../library/headers/info-header'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'
import { DownloadRow } from './download-row'
import './downloads-page.css'

/** The downloads of the server: running, waiting and failed. */
export function DownloadsPage() {
  useSignals()
  const { api, downloads, session, failed } = useApp()
  // The server knows the order and the reasons, so the list is loaded again whenever a download changes its state.
  const states = [...downloads.byEpisode.value].map(([eid, { state }]) => `${eid}${state}`).join()
  const list = useResource(async (_signal, _states: string) => (await api.downloads.page(null)).data, [states])

  async function act(action: Promise<unknown>) {
    await action.catch(failed)
    await downloads.load().catch(() => undefined)
    void list.retry()
  }
  const isPaused = list.data?.paused ?? false
  return (
    <>
      <InfoHeader current={routes.downloads}>
        {session.mayUpload.value && list.data && (isPaused || countUnfinished(list.data) > 0) && (
          <PauseAllButton
            isPaused={isPaused}
            onClick={() => void act(isPaused ? api.downloads.resumeAll() : api.downloads.pauseAll())}
          />
        )}
      </InfoHeader>
      <Loaded resource={list} rows={4}>
        {data => <Downloads list={data} act={action => void act(action)} />}
      </Loaded>
    </>
  )
}

function PauseAllButton({ isPaused, onClick }: { isPaused: boolean; onClick: () => void }) {
  const { t } = useTranslation()
  const Icon = isPaused ? Play : Pause
  return (
    <button type="button" className="secondary with-icon" onClick={onClick}>
      <Icon size={18} aria-hidden="true" />
      {isPaused ? t('resume-all') : t('pause-all')}
    </button>
  )
}

function Downloads({ list, act }: { list: DownloadList; act: (action: Promise<unknown>) => void }) {
  useSignals()
  const { api, downloads, session } = useApp()
  const { t } = useTranslation()
  const mayEdit = session.mayUpload.value
  if (list.items.length === 0)
    return (
      <>
        <PausedNote list={list} />
        <Empty>{t(mayEdit ? 'no-downloads' : 'no-downloads-for-listeners')}</Empty>
      </>
    )
  return (
    <>
      <PausedNote list={list} />
      <Summary counts={list.counts} />
      <ul className="download-list">
        {list.items.map(item => (
          <DownloadRow
            key={item.id}
            download={item}
            live={downloads.byEpisode.value.get(item.episode_id) ?? null}
            mayEdit={mayEdit}
            onPause={() => act(api.downloads.pause(item.id))}
            onResume={() => act(api.downloads.resume(item.id))}
            onCancel={() => act(api.downloads.cancel(item.id))}
          />
        ))}
      </ul>
    </>
  )
}

function PausedNote({ list }: { list: DownloadList }) {
  const { t } = useTranslation()
  return list.paused && <p className="downloads-paused">{t('downloads-paused')}</p>
}

const states = ['running', 'queued', 'waiting', 'paused', 'failed'] as const

function Summary({ counts }: Pick<DownloadList, 'counts'>) {
  const { t } = useTranslation()
  const parts = states
    .filter(state => counts[state] > 0)
    .map(state => t(`downloads-${state}`, { count: counts[state] }))
  return <p className="muted">{parts.join(' · ')}</p>
}

const countUnfinished = ({ counts }: DownloadList) => counts.running + counts.queued + counts.waiting + counts.paused
