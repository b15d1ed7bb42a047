import { DatabaseBackup } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Backup } from '../../../shared/api/backup'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/busy-button'
import { Loaded } from '../../components/loaded'
import { Empty } from '../../components/states'
import { useAction } from '../../components/use-action'
import { formatMoment } from '../../format'
import { SettingGroup } from '../../library/forms/setting-row'
import { FormDialog } from '../../library/forms/form-dialog'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'
import { BackupTable } from './backup-table'

/** Copies of the database, made by the server on its own or by an admin here. */
export function BackupsTab() {
  const { toasts, failed } = useApp()
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const backups = useResource(api.backups.list, [])
  const [removing, setRemoving] = useState<Backup | null>(null)
  const making = useAction(async () => {
    await api.backups.create()
    toasts.done(t('backup-made'))
    void backups.retry()
  }, failed)

  async function remove({ name }: Backup) {
    await api.backups.remove(name)
    toasts.done(t('backup-removed'))
    void backups.retry()
  }
  return (
    <>
      <SettingGroup title={t('settings-backups')}>
        <div className="setting-row">
          <p className="setting-name muted">{t('backups-text')}</p>
          <BusyButton className="secondary with-icon" isBusy={making.isBusy} onClick={() => making.run()}>
            <DatabaseBackup size={18} aria-hidden="true" />
            {t('back-up-now')}
          </BusyButton>
        </div>
      </SettingGroup>
      <Loaded resource={backups} rows={3}>
        {list =>
          list.length === 0 ? (
            <Empty icon={DatabaseBackup}>{t('backups-empty')}</Empty>
          ) : (
            <BackupTable backups={list} onRemove={setRemoving} />
          )
        }
      </Loaded>
      {(backups.data ?? backups.error) !== null && (
        <p className="muted backups-restore">
          {t('backups-restore')} <code>castellan restore FILE</code>
        </p>
      )}
      {removing && (
        <FormDialog
          isDanger
          title={t('backup-remove')}
          action={t('delete')}
          onSubmit={() => remove(removing)}
          onClose={() => setRemoving(null)}
        >
          <p>{t('backup-remove-text', { when: formatMoment(removing.createdAt) })}</p>
        </FormDialog>
      )}
    </>
  )
}
