import { required } from '../platform/problem'
import type { Database } from 'bun:sqlite'
import type { SkipLengths } from '../../shared/api/user'
import type { NextKey, Role } from '../../shared/choices'

export type UserRow = {
  id: number
  uuid: string
  username: string
  name_key: string
  role: Role
  explicit_consent: number
  created_at: number
  /** The account of open mode, and of USERNAME in the configuration. */
  built_in: number
  password_hash: string | null
  /** The kind of a hash that another program made; null = our own. */
  password_kind: string | null
  issuer: string | null
  subject: string | null
  /** The time of the newest OpenID token whose claims were read as a whole, in seconds; null = none. */
  claims_issued_at: number | null
  proxied: number
  role_before: Role | null
  consent_before: number | null
  api_key_hash: string | null
  /** Whether assistants may use the API key; null = as the configuration says. */
  api_key_assistants: number | null
  feed_key_version: number
  epoch: number
  country: string | null
  language: string | null
  skip_back: number
  skip_forward: number
  next_key: NextKey
  skip_rewind: number
  level_volume: number
  /** Whether the page of playlists shows suggestions. */
  suggestions: number
  /** Whether feeds that a device subscribes to are added to the library. */
  sync_auto_add: number
  /** Whether the user's devices received favourites and positions from before their first sync. */
  sync_begun: number
  /** Whether a sign-in by password asks for a code, too. */
  second_factor: number
}

export type NewUser = Pick<UserRow, 'username' | 'role' | 'explicit_consent'> &
  Partial<
    Pick<
      UserRow,
      | 'built_in'
      | 'password_hash'
      | 'password_kind'
      | 'issuer'
      | 'subject'
      | 'proxied'
      | 'role_before'
      | 'consent_before'
    >
  >

function noteLooks(db: Database, { id, username }: Pick<UserRow, 'id' | 'username'>) {
  db.query('DELETE FROM user_look WHERE user_id = ?').run(id)
  for (const look of looksOf(username)) db.query('INSERT INTO user_look (look, user_id) VALUES (?, ?)').run(look, id)
}

/** Normalises a name for comparison: without case, and with one spelling of each character. */
export const nameKey = (username: string) => username.normalize('NFKC').toLowerCase()

/**
 * The looks of a name: two names can be mistaken for each other if they share one. They are the skeletons of Unicode's
 * UTS 39 of the name as it is written and without case: a capital I looks like an l, a small i does not.
 */
const looksOf = (name: string): string[] => [...new Set([skeletonOf(name), skeletonOf(nameKey(name))])]

let library: ((text: string) => string) | null = null
/** Replaces letters by those that they look like. The library's table is loaded when a name is given. */
const lookAlike = (text: string) => (library ??= require('unhomoglyph') as (text: string) => string)(text)

const skeletonOf = (name: string) =>
  lookAlike(name.normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, ''))
    .normalize('NFD')
    .toLowerCase()

/** The choices of a user for the player. The table contains only values that the API accepted. */
export const playerChoiceOf = (row: UserRow) =>
  ({
    back: row.skip_back,
    forward: row.skip_forward,
    nextKey: row.next_key,
    rewind: row.skip_rewind === 1,
    levelVolume: row.level_volume === 1,
  }) as Required<SkipLengths>

/** Finds users. */
export function userLookups(db: Database) {
  const findWhere = (condition: string) =>
    db.query<UserRow, (string | number)[]>(`SELECT * FROM user WHERE ${condition}`)
  const findByName = (username: string) => findWhere('name_key = ?').get(nameKey(username))

  return {
    find: (id: number) => findWhere('id = ?').get(id),
    findByUuid: (uuid: string) => findWhere('uuid = ?').get(uuid),
    findByName,
    /** Throws `user-not-found`. */
    require: (username: string): UserRow => required(findByName(username), 'user'),
    findBySubject: (issuer: string, subject: string) => findWhere('issuer = ? AND subject = ?').get(issuer, subject),
    findByApiKey: (hash: string) => findWhere('api_key_hash = ?').get(hash),
    findBuiltIn: () => findWhere('built_in = 1').get(),
    list: () => findWhere('1 ORDER BY name_key').all(),
    /** Kinds of hashes that other programs made, and that nobody has replaced by signing in. */
    passwordKinds: (): string[] =>
      db
        .query<{ kind: string }, []>(
          'SELECT DISTINCT password_kind AS kind FROM user WHERE password_kind IS NOT NULL ORDER BY 1',
        )
        .all()
        .map(({ kind }) => kind),
    /** Somebody other than `except` whose name looks like this one. */
    findLookalike: (username: string, except = 0) =>
      db
        .query<UserRow, [string, number]>(
          `SELECT u.* FROM json_each(?) AS wanted JOIN user_look l ON l.look = wanted.value JOIN user u ON u.id = l.user_id
            WHERE u.id <> ? LIMIT 1`,
        )
        .get(JSON.stringify(looksOf(username)), except),
    listAdmins: () => findWhere(`role = 'admin'`).all(),
  }
}

const noSignIn = {
  built_in: 0,
  password_hash: null,
  password_kind: null,
  issuer: null,
  subject: null,
  proxied: 0,
  role_before: null,
  consent_before: null,
}

/** Changes of accounts. */
export const userChanges = (db: Database) => ({
  add(user: NewUser, now: number): UserRow {
    const added = db
      .query<UserRow, Record<string, string | number | null>>(
        `INSERT INTO user (uuid, username, name_key, role, explicit_consent, created_at, built_in, password_hash,
                password_kind, issuer, subject, proxied, role_before, consent_before)
         VALUES ($uuid, $username, $nameKey, $role, $explicit_consent, $now, $built_in, $password_hash,
                $password_kind, $issuer, $subject, $proxied, $role_before, $consent_before)
      RETURNING *`,
      )
      .get({
        ...noSignIn,
        ...user,
        uuid: crypto.randomUUID(),
        nameKey: nameKey(user.username),
        now,
      })!
    noteLooks(db, added)
    return added
  },
  rename(id: number, username: string) {
    db.query('UPDATE user SET username = ?, name_key = ? WHERE id = ?').run(username, nameKey(username), id)
    noteLooks(db, { id, username })
  },
  /** Stores the looks of names of accounts that are older than the table of looks. */
  noteMissingLooks() {
    const missing = db.query<Pick<UserRow, 'id' | 'username'>, []>(
      'SELECT id, username FROM user WHERE NOT EXISTS (SELECT 1 FROM user_look WHERE user_id = user.id)',
    )
    for (const user of missing.all()) noteLooks(db, user)
  },
  noteClaims(id: number, issuedAt: number) {
    db.query('UPDATE user SET claims_issued_at = ? WHERE id = ?').run(issuedAt, id)
  },
  setConsent(id: number, explicitConsent: boolean) {
    db.query('UPDATE user SET explicit_consent = ? WHERE id = ?').run(Number(explicitConsent), id)
  },
  setLocale(id: number, country: string | null, language: string | null) {
    db.query('UPDATE user SET country = ?, language = ? WHERE id = ?').run(country, language, id)
  },
  setSuggestions(id: number, areShown: boolean) {
    db.query('UPDATE user SET suggestions = ? WHERE id = ?').run(Number(areShown), id)
  },
  /** Keeps what is left out. */
  setSkipLengths(id: number, { back, forward, nextKey, rewind, levelVolume }: SkipLengths) {
    db.query(
      `UPDATE user SET skip_back = ?, skip_forward = ?, next_key = coalesce(?, next_key),
                       skip_rewind = coalesce(?, skip_rewind), level_volume = coalesce(?, level_volume)
        WHERE id = ?`,
    ).run(back, forward, nextKey ?? null, rewind ?? null, levelVolume ?? null, id)
  },
})

/** Changes of roles, and of what users sign in with. */
export const userAccess = (db: Database) => ({
  /** Ends earlier sign-ins. */
  setPassword(id: number, hash: string | null) {
    db.query('UPDATE user SET password_hash = ?, password_kind = NULL, epoch = epoch + 1 WHERE id = ?').run(hash, id)
  },
  /**
   * Replaces the hash of another program by our own of the same password, so no sign-in ends. False if the password has
   * been changed in the meantime.
   */
  replaceForeignHash: (id: number, before: string, hash: string): boolean =>
    db
      .query('UPDATE user SET password_hash = ?, password_kind = NULL WHERE id = ? AND password_hash = ?')
      .run(hash, id, before).changes > 0,
  /** Ends earlier sign-ins. */
  setRole(id: number, role: Role) {
    db.query('UPDATE user SET role = ?, role_before = NULL, consent_before = NULL, epoch = epoch + 1 WHERE id = ?').run(
      role,
      id,
    )
  },
  /** Makes a user admin with consent, until `endPromotion` restores role and consent. Both end earlier sign-ins. */
  promoteByRule(id: number) {
    db.query(
      `UPDATE user
          SET role_before = role, consent_before = explicit_consent, role = 'admin', explicit_consent = 1, epoch = epoch + 1
        WHERE id = ?`,
    ).run(id)
  },
  endPromotion(id: number) {
    db.query(
      `UPDATE user
          SET role = role_before, explicit_consent = consent_before, role_before = NULL, consent_before = NULL,
              epoch = epoch + 1
        WHERE id = ? AND role_before IS NOT NULL`,
    ).run(id)
  },
  /** `forAssistants`: null = as the configuration says. */
  setApiKey(id: number, hash: string | null, forAssistants: boolean | null) {
    db.query('UPDATE user SET api_key_hash = ?, api_key_assistants = ? WHERE id = ?').run(hash, forAssistants, id)
  },
  renewFeedKey(id: number) {
    db.query('UPDATE user SET feed_key_version = feed_key_version + 1 WHERE id = ?').run(id)
  },
})
