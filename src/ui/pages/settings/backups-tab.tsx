import { DatabaseBackup, FileDown, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Backup } from '../../../shared/api/system'
import { useApp } from '../../app-context'
import { BusyButton, IconButton } from '../../components/buttons'
import { Loaded, Empty } from '../../components/states'
import { useAction } from '../../components/use-action'
import { formatBytes } from '../../format-facts'
import { formatMoment } from '../../format'
import { SettingGroup } from '../../library/forms/setting-row'
import { FormDialog } from '../../library/forms/form-dialog'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'
import { Table } from '../../components/table'
import { saveFile } from '../../device/share'

/** Backups of the database, made by the server automatically or by an admin here. */
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
        <div className="setting-row gap-8 x-16 relative wrap row">
          <p className="setting-name shrinks breaks stack muted flush">{t('backups-text')}</p>
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
        <p className="muted above-16 flush">
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

type Props = { backups: readonly Backup[]; onRemove: (backup: Backup) => void }

/** Backups, each to be saved to this computer or deleted. */
function BackupTable({ backups, onRemove }: Props) {
  const { failed } = useApp()
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const [fetching, setFetching] = useState<string | null>(null)
  async function save(name: string) {
    setFetching(name)
    try {
      saveFile(name, await api.backups.file(name))
    } catch (failure) {
      failed(failure)
    } finally {
      setFetching(null)
    }
  }
  return (
    <Table
      title={t('settings-backups')}
      items={backups}
      keyOf={backup => backup.name}
      columns={[
        { title: t('created'), render: backup => formatMoment(backup.createdAt) },
        { title: t('backup-kind'), render: backup => t(`backup-${backup.kind}`) },
        { title: t('size'), render: backup => formatBytes(backup.size), className: 'numbers' },
      ]}
      renderActions={backup => (
        <>
          <IconButton
            icon={FileDown}
            label={t('backup-save', { when: formatMoment(backup.createdAt) })}
            aria-busy={fetching === backup.name}
            disabled={fetching !== null}
            onClick={() => void save(backup.name)}
          />
          <IconButton
            icon={Trash2}
            label={t('backup-remove-named', { when: formatMoment(backup.createdAt) })}
            onClick={() => onRemove(backup)}
          />
        </>
      )}
    />
  )
}
