import { useTranslation } from 'react-i18next'
import type { Renames } from '../../../shared/api/settings'
import { useApp } from '../../app-context'
import { FormDialog } from '../../library/forms/form-dialog'

const POLL_MS = 1000

/** Offers to rename existing files after the settings have changed. */
export function RenameDialog({ plan, onClose }: { plan: Renames; onClose: () => void }) {
  const { api, failed } = useApp()
  const { t } = useTranslation()
  const reportRename = useRenameReport()
  async function rename() {
    const { jobId } = await api.system.rescan({ applyFilenames: true })
    // The dialog closes before that: a rename run can take minutes.
    void reportRename(jobId).catch(failed)
  }
  return (
    <FormDialog
      title={t('rename-title', { count: plan.total })}
      action={t('rename-files', { count: plan.total })}
      onSubmit={rename}
      onClose={onClose}
    >
      <p>{t('rename-text')}</p>
      <ul className="rename-list">
        {plan.renames.map(({ from, to }) => (
          <li key={from}>
            <span className="muted">{from}</span>
            <span>{to}</span>
          </li>
        ))}
      </ul>
      {plan.total > plan.renames.length && (
        <p className="muted">{t('and-more', { count: plan.total - plan.renames.length })}</p>
      )}
    </FormDialog>
  )
}

/** Returns a function that waits for a rename run to end and shows its result. */
function useRenameReport() {
  const { api, toasts } = useApp()
  const { t } = useTranslation()
  return async (id: string) => {
    let run = await api.system.job(id)
    while (run.state === 'running') {
      await new Promise(resolve => setTimeout(resolve, POLL_MS))
      run = await api.system.job(id)
    }
    const renamed = run.done - run.failed
    if (run.failed > 0) toasts.failed(t('renamed-in-part', { count: renamed, failed: run.failed }))
    else toasts.done(t('renamed', { count: renamed }))
  }
}
