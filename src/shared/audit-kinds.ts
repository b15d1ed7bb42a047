/** Kinds of recorded acts, by the topic under which they are filtered. */
export const auditTopics = {
  'sign-in': ['signed-in', 'code-wanted', 'key-used', 'session-ended', 'renewal-reused'],
  refused: ['sign-in-refused', 'account-attacked'],
  keys: ['key-made', 'key-removed', 'feed-key-renewed'],
  accounts: [
    'user-added',
    'user-renamed',
    'user-removed',
    'role-changed',
    'password-changed',
    'second-factor-on',
    'second-factor-off',
    'recovery-codes-renewed',
    'passkey-added',
    'passkey-removed',
    'invite-made',
    'invite-removed',
  ],
  settings: ['settings-changed'],
  podcasts: ['podcast-added', 'podcast-removed'],
  imports: ['import-started', 'import-finished', 'import-undone'],
  backups: ['backup-made', 'backup-failed', 'backup-downloaded', 'backup-removed', 'restored'],
} as const
export type AuditTopic = keyof typeof auditTopics
export type AuditKind = (typeof auditTopics)[AuditTopic][number]

/** Sources of acts other than accounts. */
export const auditSources = ['server', 'command-line', 'stranger'] as const

export const auditTopicNames = Object.keys(auditTopics) as AuditTopic[]
export const topicOf = (kind: AuditKind): AuditTopic =>
  auditTopicNames.find(topic => (auditTopics[topic] as readonly AuditKind[]).includes(kind))!
