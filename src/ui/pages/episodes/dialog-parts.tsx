import { useState, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, Link } from 'wouter'
import type { KnownPodcast, MissingFiles } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { FormDialog, useFailureNotice } from '../../library/forms/form-dialog'
import { routes } from '../../routes'
import { useSignals } from '@preact/signals-react/runtime'
import { Check } from '../../components/fields'
import { Dialog } from '../../components/dialog'
import { Empty, Loaded } from '../../components/states'
import { TagDot } from '../../library/covers'
import { formatBytes } from '../../format-facts'
import { formatRelative } from '../../format'
import { useResource } from '../../use-resource'
import { PodcastSettingsDialog } from './podcast-settings-dialog'

export { AboutDialog } from './about-dialog'
export { PodcastSettingsDialog } from './podcast-settings-dialog'
export { PreferencesDialog } from './preferences-dialog'

type Props = { podcast: KnownPodcast; onClose: () => void }

/** Deletes a podcast, with its files or without. */
export function DeletePodcastDialog({ podcast, onClose }: Props) {
  const { library, player, toasts } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [withFiles, setWithFiles] = useState(false)

  async function remove() {
    if (player.current.value?.podcastId === podcast.id) player.clear()
    await library.remove(podcast.id, withFiles)
    toasts.done(t('podcast-deleted', { name: podcast.name }))
    navigate(routes.podcasts)
  }
  return (
    <FormDialog
      isDanger
      title={t('delete-podcast-title', { name: podcast.name })}
      action={withFiles ? t('delete-podcast-and-files') : t('delete-podcast')}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>{t('delete-podcast-text')}</p>
      <label>
        <input type="checkbox" checked={withFiles} onChange={event => setWithFiles(event.target.checked)} />
        {t('delete-files-too')}
      </label>
    </FormDialog>
  )
}

/** Gives a podcast tags, and takes them away. Each change is saved at once. */
export function TagsDialog({ podcast, onClose }: Props) {
  useSignals()
  const { tags, failed } = useApp()
  const { t } = useTranslation()
  useEffect(() => void tags.load(), [tags])
  return (
    <Dialog title={t('tags-of', { name: podcast.name })} onClose={onClose}>
      {close => (
        <>
          <Loaded resource={{ data: tags.all.value, error: tags.error.value, retry: tags.load }} rows={3}>
            {all =>
              all.length === 0 ? (
                <Empty>{t('no-tags')}</Empty>
              ) : (
                all.map(tag => (
                  <Check
                    key={tag.id}
                    isOn={podcast.tags.some(({ id }) => id === tag.id)}
                    onChange={isOn => void tags.assign(tag, podcast.id, isOn).catch(failed)}
                  >
                    <TagDot color={tag.color} /> {tag.name}
                  </Check>
                ))
              )
            }
          </Loaded>
          <footer>
            <Link href={routes.tags} role="button" className="secondary" onClick={close}>
              {t('manage-tags')}
            </Link>
            <button type="button" onClick={close}>
              {t('done')}
            </button>
          </footer>
        </>
      )}
    </Dialog>
  )
}

/** Says how many episodes would be downloaded, how large they are and how much room there is, and downloads them. */
export function DownloadAllDialog({ podcast, onClose }: Props) {
  const { api } = useApp()
  const { data, error } = useResource((_, id: string) => api.podcasts.missing(id), [podcast.id])
  useFailureNotice(error, onClose)
  return data && <DownloadQuestion podcast={podcast} missing={data} onClose={onClose} />
}

function DownloadQuestion({ podcast, missing, onClose }: Props & { missing: MissingFiles }) {
  const { api, failed, toasts } = useApp()
  const { t } = useTranslation()
  const { episodes, bytes, unknownSizes, freeBytes } = missing

  async function download() {
    const { queued, undo } = await api.podcasts.downloadAll(podcast.id)
    const takeBack = async () => {
      const { affected } = await api.podcasts.undoDownloadAll(podcast.id, undo)
      toasts.done(t('downloads-cancelled', { count: affected }))
    }
    toasts.done(t('downloads-queued', { count: queued }), {
      label: t('undo'),
      run: () => void takeBack().catch(failed),
    })
  }
  if (episodes === 0)
    return (
      <FormDialog title={t('download-all')} action={t('done')} onSubmit={async () => undefined} onClose={onClose}>
        <p>{t('all-downloaded')}</p>
      </FormDialog>
    )
  return (
    <FormDialog
      title={t('download-all')}
      action={t('download-count', { count: episodes })}
      onSubmit={download}
      onClose={onClose}
    >
      <p>
        {unknownSizes === episodes
          ? t('download-all-unknown', { count: episodes })
          : t(unknownSizes > 0 ? 'download-all-at-least' : 'download-all-size', {
              count: episodes,
              size: formatBytes(bytes),
            })}{' '}
        {freeBytes !== null && t('room-free', { size: formatBytes(freeBytes) })}
      </p>
      {freeBytes !== null && bytes > freeBytes && <p className="is-caution">{t('download-all-no-room')}</p>}
    </FormDialog>
  )
}

const helpFor: Partial<Record<string, string>> = {
  'feed-needs-credentials': 'feed-help-credentials',
  'feed-refused': 'feed-help-refused',
}

/** Explains why the last check of a feed failed, since when, and what to do about it. */
export function FeedHelpDialog({ podcast, onClose }: Props) {
  useSignals()
  const { api, library, feedChecks, session, failed } = useApp()
  const { t } = useTranslation()
  const [isChanging, setChanging] = useState(false)
  const { last_error, feed_state, link } = podcast
  const next_check_at = feedChecks.byId.value.get(podcast.id)?.next_check_at
  if (isChanging) return <PodcastSettingsDialog podcast={podcast} onClose={onClose} />
  if (!last_error) return null
  async function tryAsBrowser() {
    await api.podcasts.editSettings(podcast.id, { userAgent: navigator.userAgent })
    await library.refresh(podcast.id)
  }
  return (
    <Dialog title={t('what-can-i-do')} onClose={onClose}>
      {close => (
        <>
          <p>
            {t(`feed-error.${last_error.errorCode}`, { defaultValue: last_error.message })}{' '}
            {t('failing-since', { when: formatRelative(last_error.since) })}{' '}
            {feed_state === 'gone'
              ? t('feed-gone-hint')
              : next_check_at && t('next-try', { when: formatRelative(next_check_at) })}
          </p>
          <p className="muted">{last_error.message}</p>
          <p>
            {t(helpFor[last_error.errorCode] ?? 'feed-help')}{' '}
            {link && (
              <a href={link} target="_blank" rel="noopener noreferrer">
                {t('open-web-page')}
              </a>
            )}
          </p>
          {session.mayUpload.value && (
            <footer>
              {last_error.errorCode === 'feed-refused' && (
                <button
                  type="button"
                  className="secondary"
                  onClick={() => void tryAsBrowser().catch(failed).then(close)}
                >
                  {t('try-as-browser')}
                </button>
              )}
              <button type="button" className="secondary" onClick={() => setChanging(true)}>
                {t('change-feed-address')}
              </button>
              <button
                type="button"
                onClick={() => {
                  void library.refresh(podcast.id).catch(failed)
                  close()
                }}
              >
                {t('check-now')}
              </button>
            </footer>
          )}
        </>
      )}
    </Dialog>
  )
}
