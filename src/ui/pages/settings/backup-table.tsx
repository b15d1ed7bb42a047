import { FileDown, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Backup } from '../../../shared/api/backup'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/icon-button'
import { Table } from '../../components/table'
import { saveFile } from '../../device/save-file'
import { formatBytes, formatMoment } from '../../format'
import { useAdministrationApi } from '../../use-administration'

type Props = { backups: readonly Backup[]; onRemove: (backup: Backup) => void }

/** Backups, each to be saved to this computer or deleted. */
export function BackupTable({ backups, onRemove }: Props) {
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
