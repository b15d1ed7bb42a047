import { useSignals } from '@preact/signals-react/runtime'
import { Check, Copy, Plus, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Invite } from '../../../shared/api/invite'
import { useApp } from '../../app-context'
import { copyText } from '../../device/clipboard'
import { FormDialog } from '../../components/form-dialog'
import { FilterChip } from '../../components/filter-chip'
import { IconButton } from '../../components/icon-button'
import { Notice } from '../../components/notice'
import { Empty, Skeleton } from '../../components/states'
import { Table } from '../../components/table'
import { formatDay } from '../../format'
import { createInviteList, inviteFilters } from '../../state/administration'
import { NotAdmin } from './administration-page'
import { RoleFields, type RoleChoice } from './role-fields'
import './invites-tab.css'

const COPIED_MS = 2000

export function InvitesTab() {
  useSignals()
  const { api, session, toasts, failed } = useApp()
  const { t } = useTranslation()
  const [invites] = useState(() => createInviteList(api.invites))
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Invite | null>(null)
  const [copied, setCopied] = useState<string | null>(null)
  const role = session.user.value?.role
  useEffect(() => void invites.load(), [invites, role])
  useEffect(() => {
    if (copied === null) return
    const timer = setTimeout(() => setCopied(null), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy(id: string) {
    try {
      const link = await invites.link(id)
      if (await copyText(link)) setCopied(id)
      else toasts.failed(t('link-not-copied', { link }))
    } catch (error) {
      failed(error)
    }
  }

  if (invites.error.value) return <NotAdmin error={invites.error.value} onRetry={() => void invites.load()} />
  if (!invites.shown.value) return <Skeleton kind="row" count={3} />
  return (
    <>
      {!session.config.value!.basicAuth && !session.isOpen.value && <Notice>{t('invites-need-passwords')}</Notice>}
      <div className="invites-tools">
        <div role="group" aria-label={t('filter')} className="invites-filter">
          {inviteFilters.map(name => (
            <FilterChip
              key={name}
              label={t(`invites-${name}`)}
              isOn={invites.filter.value === name}
              onToggle={() => (invites.filter.value = name)}
            />
          ))}
        </div>
        <button type="button" className="with-icon" onClick={() => setAdding(true)}>
          <Plus size={18} aria-hidden="true" />
          {t('add-new')}
        </button>
      </div>
      {invites.shown.value.length === 0 && (
        <Empty>{t(invites.filter.value === 'all' ? 'no-invites' : 'no-invites-of-state')}</Empty>
      )}
      {invites.shown.value.length > 0 && (
        <Table title={t('invites')} columns={[t('id'), t('role'), t('created'), t('expires'), t('accepted')]}>
          {invites.shown.value.map(invite => (
            <tr key={invite.id} className={`is-${invites.status(invite)}`}>
              <th scope="row">
                <button
                  type="button"
                  className="link-button invite-id"
                  title={t('copy-link')}
                  onClick={() => void copy(invite.id)}
                >
                  {copied === invite.id ? (
                    <Check size={16} aria-hidden="true" />
                  ) : (
                    <Copy size={16} aria-hidden="true" />
                  )}
                  <span>{copied === invite.id ? t('invite-link-copied') : invite.id}</span>
                </button>
              </th>
              <td data-label={t('role')}>{t(`role-${invite.role}`)}</td>
              <td data-label={t('created')}>{formatDay(invite.createdAt)}</td>
              <td data-label={t('expires')}>{formatDay(invite.expiresAt)}</td>
              <td data-label={t('accepted')}>{invite.acceptedAt ? formatDay(invite.acceptedAt) : '-'}</td>
              <td className="table-actions">
                <IconButton icon={Trash2} label={t('delete-invite')} onClick={() => setRemoving(invite)} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <p className="visually-hidden" role="status">
        {copied && t('invite-link-copied')}
      </p>
      {isAdding && (
        <AddInviteDialog
          onAdd={async choice => {
            await invites.create(choice)
            toasts.done(t('invite-created'))
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {removing && (
        <FormDialog
          isDanger
          title={t('delete-invite-title')}
          action={t('delete-invite')}
          onSubmit={async () => {
            await invites.remove(removing.id)
            toasts.done(t('invite-deleted'))
          }}
          onClose={() => setRemoving(null)}
        >
          <p>{t('delete-invite-text')}</p>
        </FormDialog>
      )}
    </>
  )
}

type AddProps = { onAdd: (choice: RoleChoice) => Promise<void>; onClose: () => void }

function AddInviteDialog({ onAdd, onClose }: AddProps) {
  const { t } = useTranslation()
  const [choice, setChoice] = useState<RoleChoice>({ role: 'user', explicitConsent: false })
  return (
    <FormDialog title={t('new-invite')} action={t('create-invite')} onSubmit={() => onAdd(choice)} onClose={onClose}>
      <p>{t('new-invite-text')}</p>
      <RoleFields value={choice} onChange={setChoice} />
    </FormDialog>
  )
}
