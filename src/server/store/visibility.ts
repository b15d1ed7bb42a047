import type { UserRow } from './users'

/** A person who looks at the library, and whether they agreed to see explicit content. */
export type Viewer = Pick<UserRow, 'id' | 'explicit_consent'>
type Consent = Pick<Viewer, 'explicit_consent'>

/** Consent of a viewer from whom nothing is hidden. */
export const seesEverything: Consent = { explicit_consent: 1 }

/** Condition on podcasts `p`. */
export const visiblePodcast = ({ explicit_consent }: Consent) => (explicit_consent ? '1' : 'p.explicit = 0')

/** Condition on episodes `e` that are joined with their podcasts `p`. */
export const visibleEpisode = ({ explicit_consent }: Consent) =>
  explicit_consent ? '1' : '(p.explicit = 0 AND e.explicit = 0)'

/** Condition on episodes `e` of podcasts that the viewer is known to see. */
export const visibleInPodcast = ({ explicit_consent }: Consent) => (explicit_consent ? '1' : 'e.explicit = 0')

/** Condition on notifications whose podcast `p` and episode `e` may be gone. */
export const visibleNotification = ({ explicit_consent }: Consent) =>
  explicit_consent ? '1' : '(coalesce(p.explicit, 0) = 0 AND coalesce(e.explicit, 0) = 0)'

/**
 * Condition on episodes `e` that are not joined with their podcasts: episodes of a removed podcast outlive it for a while.
 */
export const hasPodcast = `e.podcast_id NOT IN (SELECT row_id FROM removal WHERE of_table = 'podcast')`

/** Condition for queries about several users `u`: each sees the episode `e` of the podcast `p`. */
export const visibleToUser = '(u.explicit_consent = 1 OR (e.explicit = 0 AND p.explicit = 0))'

/** Whether a user may see an import or rename run: their own, and admins those of everybody. */
export const isJobVisible = (viewer: Pick<UserRow, 'id' | 'role'>, job: { user_id: number }): boolean =>
  job.user_id === viewer.id || viewer.role === 'admin'
