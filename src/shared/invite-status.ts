export type InviteStatus = 'pending' | 'accepted' | 'expired'

/** An accepted invitation stays accepted, however old. */
export function inviteStatus(invite: { expiresAt: string; acceptedAt: string | null }, now: number): InviteStatus {
  if (invite.acceptedAt !== null) return 'accepted'
  return Date.parse(invite.expiresAt) > now ? 'pending' : 'expired'
}
