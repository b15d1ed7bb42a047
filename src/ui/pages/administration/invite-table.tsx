import { Check, Copy, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Invite } from '../../../shared/api/invite'
import type { InviteStatus } from '../../../shared/invite-status'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/icon-button'
import { Table } from '../../components/table'
import { copyText } from '../../device/clipboard'
import { formatDay } from '../../format'

const COPIED_MS = 2000

type Props = {
  invites: readonly Invite[]
  statusOf: (invite: Invite) => InviteStatus
  linkOf: (id: string) => Promise<string>
  onRemove: (invite: Invite) => void
}

/** Invitations; pressing one copies its link. */
export function InviteTable({ invites, statusOf, linkOf, onRemove }: Props) {
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
            render: ({ id }) => <CopyLinkButton id={id} isCopied={copied === id} onCopy={() => void copy(id)} />,
          },
          { title: t('role'), render: invite => t(`role-${invite.role}`) },
          { title: t('created'), render: invite => formatDay(invite.createdAt), className: 'is-date' },
          { title: t('expires'), render: invite => formatDay(invite.expiresAt), className: 'is-date' },
          {
            title: t('accepted'),
            render: invite => (invite.acceptedAt ? formatDay(invite.acceptedAt) : '-'),
            className: 'is-date',
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
    <button type="button" className="link-button invite-id" title={t('copy-link')} onClick={onCopy}>
      <Icon size={16} aria-hidden="true" />
      <span>{isCopied ? t('invite-link-copied') : id}</span>
    </button>
  )
}
