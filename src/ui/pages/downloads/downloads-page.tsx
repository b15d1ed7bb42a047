import { useSignals } from '@preact/signals-react/runtime'
import { Download, Pause, Play, RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { DownloadList } from '../../../shared/api/download'
import type { TranscriptionList } from '../../../shared/api/texts'
import type { YourEpisode } from '../../../shared/api/episode'
import type { Api } from '../../api'
import type { createAdministrationApi } from '../../api/administration'
import { useApp } from '../../app-context'
import { Loaded, Empty } from '../../components/states'
import { PageHeader } from '../../components/page-header'
import { routes } from '../../routes'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'
import { type Commands, DownloadFrame, NeedRow, ProgressRow, Section, type Shown } from './download-row'
import { Transcriptions } from './transcriptions'
import { formatBytes } from '../../format-facts'
import { formatTimeOn, formatCount } from '../../format'
import { episodeActions } from '../../library/episodes/episode-actions'
import { isGone } from '../../library/episodes/episode-facts'
import { PlayButton, useEpisodePlayback } from '../../library/episodes/play-button'
import '../../components/tables.css'
import './downloads.css'

const MAX_DONE = 30

/** The downloads of the server: what needs somebody, what runs, what waits. */
export function DownloadsPage() {
  useSignals()
  const { api, downloads, transcriptions, session, failed } = useApp()
  const { t } = useTranslation()
  const administration = useAdministrationApi()
  const transcribes = session.config.value?.transcriptionEnabled === true
  // The server knows the order and the reasons, so the list is loaded again whenever a download changes its state.
  const states = [...downloads.byEpisode.value, ...transcriptions.byEpisode.value]
    .map(([episode, { state }]) => `${episode}${state}`)
    .join()
  const all = useResource(
    (_signal, _states: string, _gaps) => loadAll(api, transcribes ? administration : null),
    [states, transcriptions.gaps.value],
  )

  async function act(action: Promise<unknown>) {
    await action.catch(failed)
    await downloads.load().catch(() => undefined)
    void all.retry()
  }
  return (
    <>
      <PageHeader title={t('downloads')} />
      <Loaded resource={all} rows={4}>
        {loaded => <Downloads {...loaded} act={action => void act(action)} />}
      </Loaded>
    </>
  )
}

type Administration = ReturnType<typeof createAdministrationApi>

/** `administration`: null if nothing is transcribed. */
async function loadAll(api: Pick<Api, 'downloads' | 'yourEpisodes'>, administration: Administration | null) {
  const [list, latest, transcripts] = await Promise.all([
    api.downloads.page(null),
    api.yourEpisodes.page('downloaded', null, MAX_DONE),
    administration?.transcriptions.list() ?? null,
  ])
  return { list: list.data, done: ofToday(latest.data), transcripts }
}

type Act = (action: Promise<unknown>) => void

type Props = {
  list: DownloadList
  done: readonly YourEpisode[]
  transcripts: TranscriptionList | null
  act: Act
}

function Downloads({ list, done, transcripts, act }: Props) {
  useSignals()
  const { api, session } = useApp()
  const { t } = useTranslation()
  const mayEdit = session.mayUpload.value
  const items = useShown(list)
  const needs = items.filter(isStuck)
  const running = items.filter(({ state }) => state === 'running')
  const waiting = items.filter(item => item.state !== 'running' && !isStuck(item))
  const commandsOf = ({ id }: Shown): Commands | null =>
    mayEdit
      ? {
          onPause: () => act(api.downloads.pause(id)),
          onResume: () => act(api.downloads.resume(id)),
          onCancel: () => act(api.downloads.cancel(id)),
        }
      : null
  const rows = (Row: typeof ProgressRow, shown: readonly Shown[]) =>
    shown.map(item => <Row key={item.id} download={item} commands={commandsOf(item)} />)
  return (
    <div className="downloads list-width">
      <Figures
        running={running.length}
        bytesPerSecond={running.reduce((sum, { bytesPerSecond }) => sum + bytesPerSecond, 0)}
        waiting={waiting.length}
        needs={needs.length}
      />
      {list.paused && <p className="downloads-paused rounded sunken">{t('downloads-paused')}</p>}
      {items.length === 0 && done.length === 0 && !transcripts?.items.length && (
        <Empty icon={Download} action={mayEdit && <ToTimeline />}>
          {t(mayEdit ? 'no-downloads' : 'no-downloads-for-listeners')}
        </Empty>
      )}
      <Section
        title={t('needs-you')}
        count={needs.length}
        action={
          mayEdit && <TryAllAgain onClick={() => act(Promise.all(needs.map(({ id }) => api.downloads.resume(id))))} />
        }
      >
        {rows(NeedRow, needs)}
      </Section>
      <Section title={t('running')} count={running.length} action={mayEdit && <PauseAll list={list} act={act} />}>
        {rows(ProgressRow, running)}
      </Section>
      <Section
        title={t('waiting')}
        count={waiting.length}
        action={mayEdit && running.length === 0 && <PauseAll list={list} act={act} />}
      >
        {rows(ProgressRow, waiting)}
      </Section>
      {transcripts && <Transcriptions list={transcripts} act={act} />}
      <Section title={t('done-today')} count={done.length} isCut={done.length === MAX_DONE}>
        {done.map(wrapper => (
          <DoneRow key={wrapper.podcastEpisode.id} wrapper={wrapper} />
        ))}
      </Section>
    </div>
  )
}

/** Joins the downloads of the list with their live progress. */
function useShown({ items }: DownloadList): Shown[] {
  useSignals()
  const { downloads } = useApp()
  return items.map(item => ({
    ...item,
    bytesPerSecond: item.bytesPerSecond ?? 0,
    ...downloads.byEpisode.value.get(item.episode_id),
    id: item.id,
  }))
}

/** Whether a download failed, or waits after a failure. */
const isStuck = ({ state, errorCode }: Shown) => state === 'failed' || (state === 'waiting' && errorCode !== null)

function ToTimeline() {
  const { t } = useTranslation()
  return (
    <Link href={routes.timeline} role="button" className="secondary">
      {t('timeline')}
    </Link>
  )
}

function TryAllAgain({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <button type="button" className="secondary small higher-on-phone with-icon nowrap" onClick={onClick}>
      <RotateCw size={16} aria-hidden="true" />
      {t('try-all-again')}
    </button>
  )
}

function PauseAll({ list, act }: { list: DownloadList; act: Act }) {
  const { api } = useApp()
  const { t } = useTranslation()
  const Icon = list.paused ? Play : Pause
  return (
    <button
      type="button"
      className="secondary small higher-on-phone with-icon nowrap"
      onClick={() => act(list.paused ? api.downloads.resumeAll() : api.downloads.pauseAll())}
    >
      <Icon size={16} aria-hidden="true" />
      {list.paused ? t('resume-all') : t('pause-all')}
    </button>
  )
}

/** Keeps of a list, the latest first, what came into it on the day of `now`. */
export function ofToday(episodes: readonly YourEpisode[], now = Date.now()): YourEpisode[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  return episodes.filter(({ at }) => Date.parse(at) >= midnight)
}

/** A file that came to the server today, ready to be played. */
export function DoneRow({ wrapper }: { wrapper: YourEpisode }) {
  useSignals()
  const app = useApp()
  const { podcastEpisode: episode, at } = wrapper
  const podcastName = app.library.byId.value.get(episode.podcast_id)?.name ?? ''
  const playback = useEpisodePlayback(wrapper)
  const { play } = episodeActions(app, wrapper, podcastName)
  return (
    <DownloadFrame
      state="done"
      podcastId={episode.podcast_id}
      podcastName={podcastName}
      episodeId={episode.episode_id}
      episodeName={episode.name}
      facts={<DoneFacts at={at} bytes={episode.file_size} />}
    >
      <PlayButton
        name={episode.name}
        isPlaying={playback.isPlaying}
        share={playback.share}
        isDisabled={isGone(episode)}
        onClick={playback.isPlaying ? app.player.pause : play}
      />
    </DownloadFrame>
  )
}

function DoneFacts({ at, bytes }: { at: string; bytes: number | null }) {
  const { t } = useTranslation()
  return (
    <span className="muted numbers x-12 wrap spread">
      <span>
        {t('on-the-server')}
        {bytes !== null && bytes > 0 && ` · ${formatBytes(bytes)}`}
      </span>
      <time dateTime={at}>{formatTimeOn(at)}</time>
    </span>
  )
}

type FiguresProps = { running: number; bytesPerSecond: number; waiting: number; needs: number }

/**
 * Four figures: what runs, what waits, what needs attention, and the free disk space. Without downloads, only the
 * latter.
 */
function Figures({ running, bytesPerSecond, waiting, needs }: FiguresProps) {
  const { t } = useTranslation()
  const api = useAdministrationApi()
  const { data, error } = useResource(api.info.system, [])
  const disk = data?.disks.at(-1)
  const isIdle = running + waiting + needs === 0
  const isLoading = data === null && error === null
  if (isIdle && !disk && !isLoading) return null
  return (
    <dl className="figures stack gap-12">
      {!isIdle && (
        <>
          <div className="card">
            <dt className="muted regular">
              {t('figure-running')}
              {bytesPerSecond > 0 && ` · ${t('per-second', { bytes: formatBytes(bytesPerSecond) })}`}
            </dt>
            <dd className="numbers">{formatCount(running)}</dd>
          </div>
          <div className="card">
            <dt className="muted regular">{t('figure-waiting')}</dt>
            <dd className="numbers">{formatCount(waiting)}</dd>
          </div>
          <div className="card">
            <dt className="muted regular">{t('figure-needs')}</dt>
            <dd className={`numbers ${needs > 0 ? 'is-severe field-failure' : ''}`}>{formatCount(needs)}</dd>
          </div>
        </>
      )}
      {(disk || isLoading) && (
        <div className="card">
          <dt className="muted regular">{t('figure-free', { total: disk ? formatBytes(disk.total_space) : '…' })}</dt>
          <dd className="numbers">{disk ? formatBytes(disk.available_space) : '…'}</dd>
          <dd className="figures-meter">
            <progress
              value={disk ? disk.total_space - disk.available_space : 0}
              max={disk?.total_space ?? 1}
              aria-hidden="true"
            />
          </dd>
        </div>
      )}
    </dl>
  )
}
