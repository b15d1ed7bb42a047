import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Cleanup, Settings } from '../../../shared/api/settings'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/busy-button'
import { useAction } from '../../components/use-action'
import { formatBytes } from '../../format'
import { FormDialog } from '../../library/forms/form-dialog'
import { useResource } from '../../use-resource'

/** Deletes the files that the settings no longer keep, after showing which those are. */
export function CleanupRow({ settings }: { settings: Settings }) {
  const { api, toasts, failed } = useApp()
  const { t } = useTranslation()
  const [plan, setPlan] = useState<Cleanup | null>(null)
  // Every change of the settings may change which files would be deleted.
  const outlook = useResource((_signal, _given: Settings) => api.system.cleanup(), [settings])
  const planning = useAction(async () => {
    const found = await api.system.cleanup()
    if (found.total === 0) toasts.done(t('nothing-to-clean'))
    else setPlan(found)
  }, failed)
  const { data } = outlook
  return (
    <div className="setting-row">
      <div className="setting-name">
        <b className="numbers" role="status">
          {data && data.total > 0
            ? t('cleanup-would-go', { count: data.total, size: formatBytes(data.freedBytes) })
            : t('cleanup')}
        </b>
        <small>{t('cleanup-text')}</small>
      </div>
      <BusyButton className="secondary" isBusy={planning.isBusy} onClick={() => planning.run()}>
        {t('run-cleanup')}
      </BusyButton>
      {plan && (
        <CleanupDialog
          plan={plan}
          onClose={() => {
            setPlan(null)
            void outlook.retry()
          }}
        />
      )}
    </div>
  )
}

function CleanupDialog({ plan, onClose }: { plan: Cleanup; onClose: () => void }) {
  const { api, toasts } = useApp()
  const { t } = useTranslation()
  async function cleanUp() {
    const { affected, freedBytes } = await api.system.runCleanup()
    toasts.done(t('cleaned-up', { count: affected, size: formatBytes(freedBytes) }))
  }
  return (
    <FormDialog
      isDanger
      title={t('cleanup-title')}
      action={t('delete-files', { count: plan.total, size: formatBytes(plan.freedBytes) })}
      onSubmit={cleanUp}
      onClose={onClose}
    >
      <ul className="cleanup-list">
        {plan.episodes.map(episode => (
          <li key={episode.id}>
            <span>{episode.name}</span>
            <span className="muted">
              {episode.podcastName} · {formatBytes(episode.size)} · {t(`cleanup-${episode.reason}`)}
            </span>
          </li>
        ))}
      </ul>
      {plan.total > plan.episodes.length && (
        <p className="muted">{t('and-more', { count: plan.total - plan.episodes.length })}</p>
      )}
    </FormDialog>
  )
}
