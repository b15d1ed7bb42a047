import { Trash2 } from 'lucide-react'
import { useTranslation } from '../../i18n'
import type { AppPassword } from '../../../shared/api/app-password'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/icon-button'
import { Failed } from '../../components/states'
import { Table } from '../../components/table'
import { formatDay, formatRelative } from '../../format'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'

/** Podcast apps with access to the account; each can lose it. Absent where there are none. */
export function AppPasswords() {
  const { toasts, failed } = useApp()
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const { data: passwords, error, retry } = useResource(api.appPasswords.list, [])

  async function remove({ id, name }: AppPassword) {
    try {
      await api.appPasswords.remove(id)
      toasts.done(t('access-removed', { name }))
      void retry()
    } catch (failure) {
      failed(failure)
    }
  }
  if (error !== null) return <Failed error={error} onRetry={() => void retry()} />
  if (!passwords || passwords.length === 0) return null
  return (
    <section>
      <h2>{t('apps-with-access')}</h2>
      <Table
        title={t('apps-with-access')}
        items={passwords}
        keyOf={password => password.id}
        columns={[
          { title: t('app'), render: password => password.name },
          { title: t('created'), render: password => formatDay(password.createdAt) },
          { title: t('last-used'), render: lastUse },
        ]}
        renderActions={password => (
          <IconButton
            icon={Trash2}
            label={t('remove-access', { name: password.name })}
            onClick={() => void remove(password)}
          />
        )}
      />
    </section>
  )
}

const lastUse = ({ lastUsedAt, lastAddress }: AppPassword) =>
  lastUsedAt ? [formatRelative(lastUsedAt), lastAddress].filter(Boolean).join(' · ') : '–'
