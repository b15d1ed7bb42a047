import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { AppPassword } from '../../../shared/api/app-password'
import { useAdministrationApi } from '../../use-administration'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/icon-button'
import { Failed } from '../../components/states'
import { Table } from '../../components/table'
import { formatDay, formatRelative } from '../../format'
import { useLoaded } from '../../use-loaded'

/** Podcast apps that were granted access by their own way of signing in: each can be taken back. */
export function AppPasswords() {
  const { toasts, failed } = useApp()
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const { data: passwords, error, load } = useLoaded(api.appPasswords.list)

  async function remove({ id, name }: AppPassword) {
    try {
      await api.appPasswords.remove(id)
      toasts.done(t('access-removed', { name }))
      load()
    } catch (failure) {
      failed(failure)
    }
  }
  if (error !== null) return <Failed error={error} onRetry={load} />
  if (!passwords || passwords.length === 0) return null
  return (
    <section>
      <h2>{t('apps-with-access')}</h2>
      <Table title={t('apps-with-access')} columns={[t('app'), t('created'), t('last-used')]}>
        {passwords.map(password => (
          <tr key={password.id}>
            <th scope="row">{password.name}</th>
            <td data-label={t('created')}>{formatDay(password.createdAt)}</td>
            <td data-label={t('last-used')}>
              {password.lastUsedAt
                ? [formatRelative(password.lastUsedAt), password.lastAddress].filter(Boolean).join(' · ')
                : '–'}
            </td>
            <td className="table-actions">
              <IconButton
                icon={Trash2}
                label={t('remove-access', { name: password.name })}
                onClick={() => void remove(password)}
              />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}
