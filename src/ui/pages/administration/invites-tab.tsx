import { useSignals } from '@preact/signals-react/runtime'
import { Mail, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Invite } from '../../../shared/api/invite'
import { useApp } from '../../app-context'
import { FilterChip } from '../../components/filter-chip'
import { FilterGroup } from '../../components/filter-group'
import { Notice } from '../../components/notice'
import { Empty, Skeleton } from '../../components/states'
import { FormDialog } from '../../library/forms/form-dialog'
import { createInviteList, inviteFilters, type InviteFilter } from '../../state/administration'
import { InviteTable } from './invite-table'
import { NotAdmin } from './not-admin'
import { RoleFields, type RoleChoice } from './role-fields'
import './invites-tab.css'

/** The invitations: new ones are made, their links copied, old ones deleted. */
export function InvitesTab() {
  useSignals()
  const { api, session } = useApp()
  const { t } = useTranslation()
  const [invites] = useState(() => createInviteList(api.invites))
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Invite | null>(null)
  const role = session.user.value?.role
  useEffect(() => void invites.load(), [invites, role])

  if (invites.error.value) return <NotAdmin error={invites.error.value} onRetry={() => void invites.load()} />
  if (!invites.shown.value) return <Skeleton kind="row" count={3} />
  return (
    <>
      {!session.config.value!.basicAuth && !session.isOpen.value && <Notice>{t('invites-need-passwords')}</Notice>}
      <InviteTools filter={invites.filter.value} onFilter={invites.setFilter} onAdd={() => setAdding(true)} />
      {invites.shown.value.length === 0 ? (
        <Empty icon={Mail}>{t(invites.filter.value === 'all' ? 'no-invites' : 'no-invites-of-state')}</Empty>
      ) : (
        <InviteTable
          invites={invites.shown.value}
          statusOf={invites.status}
          linkOf={invites.link}
          onRemove={setRemoving}
        />
      )}
      {isAdding && <AddInviteDialog onAdd={invites.create} onClose={() => setAdding(false)} />}
      {removing && (
        <RemoveInviteDialog onRemove={() => invites.remove(removing.id)} onClose={() => setRemoving(null)} />
      )}
    </>
  )
}

type ToolsProps = { filter: InviteFilter; onFilter: (filter: InviteFilter) => void; onAdd: () => void }

function InviteTools({ filter, onFilter, onAdd }: ToolsProps) {
  const { t } = useTranslation()
  return (
    <div className="invites-tools">
      <FilterGroup label={t('filter')}>
        {inviteFilters.map(name => (
          <FilterChip key={name} label={t(`invites-${name}`)} isOn={filter === name} onToggle={() => onFilter(name)} />
        ))}
      </FilterGroup>
      <button type="button" className="with-icon" onClick={onAdd}>
        <Plus size={18} aria-hidden="true" />
        {t('add-new')}
      </button>
    </div>
  )
}

type AddProps = { onAdd: (choice: RoleChoice) => Promise<unknown>; onClose: () => void }

function AddInviteDialog({ onAdd, onClose }: AddProps) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  const [choice, setChoice] = useState<RoleChoice>({ role: 'user', explicitConsent: false })
  async function add() {
    await onAdd(choice)
    toasts.done(t('invite-created'))
  }
  return (
    <FormDialog title={t('new-invite')} action={t('create-invite')} onSubmit={add} onClose={onClose}>
      <p>{t('new-invite-text')}</p>
      <RoleFields value={choice} onChange={setChoice} />
    </FormDialog>
  )
}

function RemoveInviteDialog({ onRemove, onClose }: { onRemove: () => Promise<void>; onClose: () => void }) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  async function remove() {
    await onRemove()
    toasts.done(t('invite-deleted'))
  }
  return (
    <FormDialog
      isDanger
      title={t('delete-invite-title')}
      action={t('delete-invite')}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>{t('delete-invite-text')}</p>
    </FormDialog>
  )
}
