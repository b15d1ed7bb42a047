import i18next from 'i18next'
import { translate } from './i18n'
import { ApiError } from './api/client'

/** Describes an error in the user's language. An error that the API did not send is unexpected. */
export function describeFailure(error: unknown): string {
  return error instanceof ApiError ? describeProblem(error.code, error.args) : translate('error.unexpected')
}

/** Describes a code of the API in the user's language. */
export function describeProblem(code: string, args: ApiError['args']): string {
  const key = `error.${code}`
  if (!i18next.exists(key)) return translate('error.unexpected')
  const type = args.type && translate(`not-a-feed-${args.type}`, { defaultValue: args.type })
  // A person who may not add anything reads that, rather than that 0 of 0 are left.
  const context = args.limit === '0' ? 'none' : undefined
  return translate(key, { ...args, type, context, ...readLimit(args) })
}

/** The API sends its arguments as texts: a limit that is a number is formatted like any other. */
const readLimit = ({ limit = '' }: ApiError['args']) => (/^\d+$/.test(limit) ? { limit: Number(limit) } : {})
