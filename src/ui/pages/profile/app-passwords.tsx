import { Trash2 } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AppPassword } from '../../../shared/api/app-password'
import { useAdministrationApi } from '../../api/use-administration'
import { useApp } from '../../app-state'
import { IconButton } from '../../components/icon-button'
import { Failed } from '../../components/states'
import { formatDay, formatRelative } from '../../format'
import '../../components/table.css'

/** Podcast apps that were granted access by their own way of signing in: each can be taken back. */
export function AppPasswords() {
  const { toasts, failed } = useApp()
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const [passwords, setPasswords] = useState<readonly AppPassword[] | null>(null)
  const [error, setError] = useState<unknown>(null)
  const load = useCallback(() => {
    setError(null)
    api.appPasswords.list().then(setPasswords, setError)
  }, [api])
  useEffect(load, [load])

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
      <table className="table">
        <caption className="visually-hidden">{t('apps-with-access')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('app')}</th>
            <th scope="col">{t('created')}</th>
            <th scope="col">{t('last-used')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </section>
  )
}
