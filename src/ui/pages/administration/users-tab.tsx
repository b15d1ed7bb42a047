import { useSignals } from '@preact/signals-react/runtime'
import { Trash2, UserCog } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserSummary } from '../../../shared/api/user'
import { useApp } from '../../app-context'
import { FormDialog } from '../../components/form-dialog'
import { IconButton } from '../../components/icon-button'
import { Skeleton } from '../../components/states'
import { Table } from '../../components/table'
import { formatDay } from '../../format'
import { createUserList } from '../../state/administration'
import { NotAdmin } from './administration-page'
import { RoleFields, type RoleChoice } from './role-fields'

export function UsersTab() {
  useSignals()
  const { api, toasts, session } = useApp()
  const { t } = useTranslation()
  const [users] = useState(() => createUserList(api.users))
  const [changing, setChanging] = useState<UserSummary | null>(null)
  const [removing, setRemoving] = useState<UserSummary | null>(null)
  // Somebody who is no admin any more has nothing to see here.
  const role = session.user.value?.role
  useEffect(() => void users.load(), [users, role])

  if (users.error.value) return <NotAdmin error={users.error.value} onRetry={() => void users.load()} />
  if (!users.all.value) return <Skeleton kind="row" count={3} />
  return (
    <>
      <Table title={t('users')} columns={[t('username'), t('role'), t('explicit-content'), t('created')]}>
        {users.all.value.map(user => (
          <tr key={user.id}>
            <th scope="row">
              {user.username}
              {user.id === session.user.value?.id && <span className="muted"> {t('that-is-you')}</span>}
            </th>
            <td data-label={t('role')}>{t(`role-${user.role}`)}</td>
            <td data-label={t('explicit-content')}>{t(user.explicitConsent ? 'yes' : 'no')}</td>
            <td data-label={t('created')}>
              <time dateTime={user.createdAt}>{formatDay(user.createdAt)}</time>
            </td>
            <td className="table-actions">
              {!session.isOpen.value && !(user.id === session.user.value?.id && session.user.value.readOnly) && (
                <>
                  <IconButton
                    icon={UserCog}
                    label={t('change-role-of', { name: user.username })}
                    onClick={() => setChanging(user)}
                  />
                  <IconButton
                    icon={Trash2}
                    label={t('delete-user', { name: user.username })}
                    onClick={() => setRemoving(user)}
                  />
                </>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {changing && (
        <ChangeRoleDialog
          user={changing}
          onChange={choice => users.changeRole(changing.username, choice)}
          onClose={() => setChanging(null)}
        />
      )}
      {removing && (
        <FormDialog
          isDanger
          title={t('delete-user-title', { name: removing.username })}
          action={t('delete-user', { name: removing.username })}
          onSubmit={async () => {
            await users.remove(removing.username)
            toasts.done(t('user-deleted'))
          }}
          onClose={() => setRemoving(null)}
        >
          <p>{t('delete-user-text')}</p>
        </FormDialog>
      )}
    </>
  )
}

type ChangeProps = { user: UserSummary; onChange: (choice: RoleChoice) => Promise<void>; onClose: () => void }

function ChangeRoleDialog({ user, onChange, onClose }: ChangeProps) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  const [choice, setChoice] = useState<RoleChoice>({ role: user.role, explicitConsent: user.explicitConsent })
  async function save() {
    await onChange(choice)
    toasts.done(t('role-changed'))
  }
  return (
    <FormDialog
      title={t('change-role-of', { name: user.username })}
      action={t('change-role')}
      onSubmit={save}
      onClose={onClose}
    >
      <RoleFields value={choice} onChange={setChoice} />
    </FormDialog>
  )
}
