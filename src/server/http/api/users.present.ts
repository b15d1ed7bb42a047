import type { SkipLengths } from '../../../shared/api/player'
import type { User, UserSummary } from '../../../shared/api/user'
import type { UserRow } from '../../store/users'
import { writeInstant } from '../core/instants'

/** An account as admins see it. */
export const presentUserSummary = (row: UserRow): UserSummary => ({
  id: row.uuid,
  username: row.username,
  role: row.role,
  explicitConsent: row.explicit_consent === 1,
  createdAt: writeInstant(row.created_at),
  secondFactor: row.second_factor === 1,
})

/** The table holds nothing else than what the wire accepted. */
export const presentSkipLengths = ({ skip_back, skip_forward }: UserRow) =>
  ({ back: skip_back, forward: skip_forward }) as SkipLengths

/** An account as its owner sees it; the API key itself is never shown again. */
export const presentUser = (
  row: UserRow,
  { feedKey, podcastsLeft, hasPassword }: Pick<User, 'feedKey' | 'podcastsLeft' | 'hasPassword'>,
): User => ({
  ...presentUserSummary(row),
  apiKey: null,
  apiKeySet: row.api_key_hash !== null,
  feedKey,
  readOnly: row.built_in === 1,
  hasPassword,
  podcastsLeft,
  country: row.country,
  language: row.language,
})
