import { useSignals } from '@preact/signals-react/runtime'
import { Check, Copy, Mail, Plus, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import type { Invite } from '../../../shared/api/user'
import { createInviteList, type InviteFilter, inviteFilters, type InviteStatus } from '../../state/administration'
import { useApp } from '../../app-context'
import { FilterChip, FilterGroup } from '../../components/filter-chip'
import { IconButton } from '../../components/buttons'
import { Notice } from '../../components/notice'
import { Empty, Skeleton } from '../../components/states'
import { Table } from '../../components/table'
import { copyText } from '../../device/share'
import { formatDay } from '../../format-facts'
import { routes } from '../../routes'
import { FormDialog } from '../../library/forms/form-dialog'
import { NotAdmin, PersonName, type RoleChoice, RoleFields } from './parts'
import './administration.css'

/** The invitations: new ones are made, their links copied, old ones deleted. */
export function InvitesTab() {
  useSignals()
  const { api, session } = useApp()
  const { t } = useTranslation()
  const [invites] = useState(() => createInviteList(api.invites))
  const [isAdding, setAdding] = useState(useSearch() === 'new')
  const [removing, setRemoving] = useState<Invite | null>(null)
  const [, navigate] = useLocation()
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
      {isAdding && (
        <AddInviteDialog
          onAdd={invites.create}
          onClose={() => {
            setAdding(false)
            navigate(routes.invites, { replace: true })
          }}
        />
      )}
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
    <div className="gap-12 x-16 wrap row spread spaced">
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

const COPIED_MS = 2000

type Props = {
  invites: readonly Invite[]
  statusOf: (invite: Invite) => InviteStatus
  linkOf: (id: string) => Promise<string>
  onRemove: (invite: Invite) => void
}

/** Invitations; pressing one copies its link. */
function InviteTable({ invites, statusOf, linkOf, onRemove }: Props) {
  const { t } = useTranslation()
  const { copied, copy } = useCopiedLink(linkOf)
  return (
    <>
      <Table
        title={t('invites')}
        items={invites}
        keyOf={invite => invite.id}
        classOf={invite => `is-${statusOf(invite)}`}
        columns={[
          {
            title: t('id'),
            render: ({ id, acceptedBy }) =>
              acceptedBy ? (
                <PersonName name={acceptedBy} />
              ) : (
                <CopyLinkButton id={id} isCopied={copied === id} onCopy={() => void copy(id)} />
              ),
          },
          { title: t('role'), render: invite => t(`role-${invite.role}`) },
          { title: t('created'), render: invite => formatDay(invite.createdAt), className: 'nowrap' },
          { title: t('expires'), render: invite => formatDay(invite.expiresAt), className: 'nowrap' },
          {
            title: t('accepted'),
            render: invite => (invite.acceptedAt ? formatDay(invite.acceptedAt) : '-'),
            className: 'nowrap',
          },
        ]}
        renderActions={invite => (
          <IconButton icon={Trash2} label={t('delete-invite')} onClick={() => onRemove(invite)} />
        )}
      />
      <p className="visually-hidden" role="status">
        {copied && t('invite-link-copied')}
      </p>
    </>
  )
}

/** An action that copies the link of an invitation. `copied`: the `id` of the one copied just now. */
function useCopiedLink(linkOf: (id: string) => Promise<string>) {
  const { toasts, failed } = useApp()
  const { t } = useTranslation()
  const [copied, setCopied] = useState<string | null>(null)
  useEffect(() => {
    if (copied === null) return
    const timer = setTimeout(() => setCopied(null), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy(id: string) {
    try {
      const link = await linkOf(id)
      if (await copyText(link)) setCopied(id)
      else toasts.failed(t('link-not-copied', { link }))
    } catch (error) {
      failed(error)
    }
  }
  return { copied, copy }
}

function CopyLinkButton({ id, isCopied, onCopy }: { id: string; isCopied: boolean; onCopy: () => void }) {
  const { t } = useTranslation()
  const Icon = isCopied ? Check : Copy
  return (
    <button
      type="button"
      className="link-button plain accent invite-id regular breaks start numbers with-icon"
      title={t('copy-link')}
      onClick={onCopy}
    >
      <Icon size={16} aria-hidden="true" />
      <span>{isCopied ? t('invite-link-copied') : `${t('copy-link')} · ${id.slice(0, 4)}`}</span>
    </button>
  )
}
