import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Cleanup } from '../../../shared/api/settings'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/busy-button'
import { useAction } from '../../components/use-action'
import { formatBytes } from '../../format'
import { FormDialog } from '../../library/forms/form-dialog'

/** Deletes the files that the saved settings no longer keep, after showing which those are. */
export function CleanupSection() {
  useSignals()
  const { api, drafts, session, toasts, failed } = useApp()
  const { t } = useTranslation()
  const [plan, setPlan] = useState<Cleanup | null>(null)
  const planning = useAction(async () => {
    const found = await api.system.cleanup()
    if (found.total === 0) toasts.done(t('nothing-to-clean'))
    else setPlan(found)
  }, failed)
  if (!session.isAdmin.value) return null
  const isDirty = drafts.all.value.has('retention')
  return (
    <section className="cleanup">
      <h2>{t('cleanup')}</h2>
      <p>{t('cleanup-text')}</p>
      {isDirty && <p className="muted">{t('save-before-cleanup')}</p>}
      <BusyButton className="secondary" isBusy={planning.isBusy} disabled={isDirty} onClick={() => planning.run()}>
        {t('run-cleanup')}
      </BusyButton>
      {plan && <CleanupDialog plan={plan} onClose={() => setPlan(null)} />}
    </section>
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
