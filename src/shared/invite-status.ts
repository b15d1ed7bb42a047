export type InviteStatus = 'pending' | 'accepted' | 'expired'

/** The status of an invitation at `now` (milliseconds). An accepted one never expires. */
export function inviteStatus(invite: { expiresAt: string; acceptedAt: string | null }, now: number): InviteStatus {
  if (invite.acceptedAt !== null) return 'accepted'
  return Date.parse(invite.expiresAt) > now ? 'pending' : 'expired'
}
