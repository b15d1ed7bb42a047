import { translate } from '../../i18n'

const understood = new Set(['challenge', 'empty', 'html', 'json', 'login', 'media', 'opml', 'pdf', 'text', 'xml'])

/** Says why a transcript or chapter file is not here, from `cause` or `cause:detail`. */
export function describeCause(cause: string): string {
  const [name, detail = ''] = cause.split(':')
  if (name === 'status') return translate('text-cause-status', { status: detail })
  if (name === 'unreachable') return translate('text-cause-unreachable')
  if (name !== 'other') return translate('text-cause-unread')
  const type = translate(`not-a-feed-${understood.has(detail) ? detail : 'unreadable'}`)
  return translate('text-cause-other', { type })
}
