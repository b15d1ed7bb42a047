import { DatabaseBackup, Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Backup } from '../../../shared/api/backup'
import { useAdministrationApi } from '../../use-administration'
import { useApp } from '../../app-context'
import { FormDialog } from '../../components/form-dialog'
import { IconButton } from '../../components/icon-button'
import { Empty, Failed, Skeleton } from '../../components/states'
import { Table } from '../../components/table'
import { formatBytes, formatMoment } from '../../format'
import { saveFile } from '../../device/save-file'
import { useLoaded } from '../../use-loaded'
import './backups-tab.css'

/** Copies of the database, made by the server or by hand; for admins. */
export function BackupsTab() {
  const { toasts, failed } = useApp()
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const { data: backups, error, load } = useLoaded(api.backups.list)
  const [isMaking, setMaking] = useState(false)
  const [leaving, setLeaving] = useState<Backup | null>(null)

  async function make() {
    setMaking(true)
    try {
      await api.backups.create()
      toasts.done(t('backup-made'))
      load()
    } catch (failure) {
      failed(failure)
    } finally {
      setMaking(false)
    }
  }
  async function remove({ name }: Backup) {
    await api.backups.remove(name)
    toasts.done(t('backup-removed'))
    load()
  }
  return (
    <div className="backups">
      <p>{t('backups-text')}</p>
      <button type="button" className="with-icon" aria-busy={isMaking} disabled={isMaking} onClick={() => void make()}>
        <DatabaseBackup size={18} aria-hidden="true" />
        {t('back-up-now')}
      </button>
      {error !== null && <Failed error={error} onRetry={load} />}
      {!backups && error === null && <Skeleton kind="row" count={3} />}
      {backups?.length === 0 && <Empty>{t('backups-empty')}</Empty>}
      {backups && backups.length > 0 && <BackupTable backups={backups} onRemove={setLeaving} />}
      <p className="muted">
        {t('backups-restore')} <code>castellan restore FILE</code>
      </p>
      {leaving && (
        <FormDialog
          title={t('backup-remove')}
          action={t('delete')}
          isDanger
          onSubmit={() => remove(leaving)}
          onClose={() => setLeaving(null)}
        >
          <p>{t('backup-remove-text', { when: formatMoment(leaving.createdAt) })}</p>
        </FormDialog>
      )}
    </div>
  )
}

function BackupTable({ backups, onRemove }: { backups: readonly Backup[]; onRemove: (backup: Backup) => void }) {
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
    <Table title={t('settings-backups')} columns={[t('created'), t('backup-kind'), t('size')]}>
      {backups.map(backup => (
        <tr key={backup.name}>
          <th scope="row">{formatMoment(backup.createdAt)}</th>
          <td data-label={t('backup-kind')}>{t(`backup-${backup.kind}`)}</td>
          <td data-label={t('size')} className="numbers">
            {formatBytes(backup.size)}
          </td>
          <td className="table-actions">
            <IconButton
              icon={Download}
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
          </td>
        </tr>
      ))}
    </Table>
  )
}
