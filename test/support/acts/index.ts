import type { AuditEntry } from '../../../src/shared/api/audit'
import { auditTopicNames, auditTopics, type AuditKind } from '../../../src/shared/audit-kinds'
import { accountCases } from './account-cases'
import type { Case } from './case'
import { libraryCases } from './library-cases'
import { refusalCases } from './refusal-cases'
import { signInCases } from './sign-in-cases'

/** Every kind of act, by every way that there is to it: a kind without a case is no valid program. */
const cases: Record<AuditKind, readonly Case[]> = { ...signInCases, ...refusalCases, ...accountCases, ...libraryCases }

/** All cases in the order of their topics, each with an address of its own. */
export const allCases = auditTopicNames
  .flatMap(topic => auditTopics[topic] as readonly AuditKind[])
  .flatMap(kind => cases[kind].map(one => ({ kind, ...one })))
  .map((one, at) => ({ ...one, from: `203.0.113.${at + 1}` }))

const quoted = JSON.stringify
const optional = (name: string, value: string) => (value === '' ? '' : ` ${name}=${quoted(value)}`)

/** The line of the log that belongs to a row, after its time and level. */
export function lineOf({ kind, by, actor, about, address, via, reason, detail }: AuditEntry): string {
  if (kind === 'sign-in-refused')
    return `Sign-in refused address=${quoted(address)} via=${quoted(via)} reason=${quoted(reason)} name=${quoted(actor?.name ?? '')}`
  const start = `Activity kind="${kind}" source="${by}" by=${quoted(actor?.name ?? '')}`
  const rest = kind === 'account-attacked' ? ' detail="30 wrong passwords"' : optional('detail', detail)
  return start + optional('address', address) + optional('about', about?.name ?? '') + optional('via', via) + rest
}
