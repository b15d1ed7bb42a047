import { useSignals } from '@preact/signals-react/runtime'
import { Mail, Pencil, ShieldOff, Trash2, UserCog } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { routes } from '../../routes'
import { showName } from '../../../shared/username'
import type { UserSummary } from '../../../shared/api/user'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/buttons'
import { Skeleton } from '../../components/states'
import { Table } from '../../components/table'
import { accountFailure, UsernameField } from '../../library/forms/account-fields'
import { formatDay } from '../../format-facts'
import { FormDialog, ShownAtField } from '../../library/forms/form-dialog'
import { useAdministrationApi } from '../../use-administration'
import { createUserList } from '../../state/administration'
import { NotAdmin, PersonName, type RoleChoice, RoleFields } from './parts'

/** The accounts: their roles can be changed, and they can be deleted. */
export function UsersTab() {
  useSignals()
  const { api, session } = useApp()
  const { secondFactor } = useAdministrationApi()
  const [users] = useState(() => createUserList(api.users, secondFactor.removeOf))
  const [changing, setChanging] = useState<UserSummary | null>(null)
  const [removing, setRemoving] = useState<UserSummary | null>(null)
  const [renaming, setRenaming] = useState<UserSummary | null>(null)
  const [releasing, setReleasing] = useState<UserSummary | null>(null)
  // An admin who has just lost the role must not keep seeing the list.
  const role = session.user.value?.role
  useEffect(() => void users.load(), [users, role])

  if (users.error.value) return <NotAdmin error={users.error.value} onRetry={() => void users.load()} />
  if (!users.all.value) return <Skeleton kind="row" count={3} />
  return (
    <>
      {!session.isOpen.value && <InviteLine isAlone={users.all.value.length === 1} />}
      <UserTable
        users={users.all.value}
        onChange={setChanging}
        onRename={setRenaming}
        onRemove={setRemoving}
        onRemoveSecondFactor={setReleasing}
      />
      {changing && (
        <ChangeRoleDialog
          user={changing}
          onChange={choice => users.changeRole(changing.id, choice)}
          onClose={() => setChanging(null)}
        />
      )}
      {renaming && (
        <RenameDialog
          user={renaming}
          onRename={username => users.rename(renaming.id, username)}
          onClose={() => setRenaming(null)}
        />
      )}
      {releasing && (
        <RemoveSecondFactorDialog
          username={showName(releasing.username)}
          onRemove={() => users.removeSecondFactor(releasing.id)}
          onClose={() => setReleasing(null)}
        />
      )}
      {removing && (
        <RemoveUserDialog
          username={showName(removing.username)}
          onRemove={() => users.remove(removing.id)}
          onClose={() => setRemoving(null)}
        />
      )}
    </>
  )
}

/** The way to another account; while there is only one, in words, too. */
function InviteLine({ isAlone }: { isAlone: boolean }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  return (
    <div className="gap-12 x-16 wrap row spread spaced">
      <span className="muted shrinks">{isAlone && t('no-invites')}</span>
      <button type="button" className="with-icon push" onClick={() => navigate(`${routes.invites}?new`)}>
        <Mail size={18} aria-hidden="true" />
        {t('new-invite')}
      </button>
    </div>
  )
}

type TableProps = {
  users: readonly UserSummary[]
  onChange: (user: UserSummary) => void
  onRename: (user: UserSummary) => void
  onRemove: (user: UserSummary) => void
  onRemoveSecondFactor: (user: UserSummary) => void
}

function UserTable({ users, onChange, onRename, onRemove, onRemoveSecondFactor }: TableProps) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const self = session.user.value
  const mayEdit = (user: UserSummary) => !session.isOpen.value && !(user.id === self?.id && self.readOnly)
  return (
    <Table
      title={t('users')}
      items={users}
      keyOf={user => user.id}
      columns={[
        {
          title: t('username'),
          render: user => (
            <>
              <PersonName name={user.username} />
              {user.id === self?.id && <span className="muted"> {t('that-is-you')}</span>}
            </>
          ),
        },
        { title: t('role'), render: user => t(`role-${user.role}`) },
        { title: t('explicit-content'), render: user => t(user.explicitConsent ? 'yes' : 'no') },
        {
          title: t('created'),
          render: user => <time dateTime={user.createdAt}>{formatDay(user.createdAt)}</time>,
        },
      ]}
      renderActions={user =>
        mayEdit(user) && (
          <>
            {user.secondFactor && user.id !== self?.id && (
              <IconButton
                icon={ShieldOff}
                label={t('remove-second-factor-of', { name: showName(user.username) })}
                onClick={() => onRemoveSecondFactor(user)}
              />
            )}
            {!(user.id === self?.id && self.readOnly) && (
              <IconButton
                icon={Pencil}
                label={t('rename-user', { name: showName(user.username) })}
                onClick={() => onRename(user)}
              />
            )}
            <IconButton
              icon={UserCog}
              label={t('change-role-of', { name: showName(user.username) })}
              onClick={() => onChange(user)}
            />
            <IconButton
              icon={Trash2}
              label={t('delete-user', { name: showName(user.username) })}
              onClick={() => onRemove(user)}
            />
          </>
        )
      }
    />
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
      title={t('change-role-of', { name: showName(user.username) })}
      action={t('change-role')}
      onSubmit={save}
      onClose={onClose}
    >
      <RoleFields value={choice} onChange={setChoice} />
    </FormDialog>
  )
}

type RenameProps = { user: UserSummary; onRename: (username: string) => Promise<void>; onClose: () => void }

function RenameDialog({ user, onRename, onClose }: RenameProps) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  const [username, setUsername] = useState(user.username)
  const [failure, setFailure] = useState<string | null>(null)
  async function rename() {
    setFailure(null)
    try {
      await onRename(username)
    } catch (error) {
      const { at, reason } = accountFailure(error)
      if (at !== 'username') throw error
      setFailure(reason)
      throw new ShownAtField()
    }
    toasts.done(t('user-renamed'))
  }
  return (
    <FormDialog
      title={t('rename-user', { name: showName(user.username) })}
      action={t('save')}
      onSubmit={rename}
      onClose={onClose}
    >
      <UsernameField help={t('username-rule')} failure={failure} value={username} onChange={setUsername} />
    </FormDialog>
  )
}

function RemoveSecondFactorDialog({ username, onRemove, onClose }: RemoveProps) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  const title = t('remove-second-factor-of', { name: username })
  async function remove() {
    await onRemove()
    toasts.done(t('second-factor-is-off'))
  }
  return (
    <FormDialog isDanger title={title} action={t('second-factor-turn-off')} onSubmit={remove} onClose={onClose}>
      <p>{t('remove-second-factor-text', { name: username })}</p>
    </FormDialog>
  )
}

type RemoveProps = { username: string; onRemove: () => Promise<void>; onClose: () => void }

function RemoveUserDialog({ username, onRemove, onClose }: RemoveProps) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  async function remove() {
    await onRemove()
    toasts.done(t('user-deleted'))
  }
  return (
    <FormDialog
      isDanger
      title={t('delete-user-title', { name: username })}
      action={t('delete-user', { name: username })}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>{t('delete-user-text')}</p>
    </FormDialog>
  )
}
