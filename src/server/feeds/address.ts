import { invalidField, Problem } from '../platform/problem'

/** Schemes by which podcast links ask for an app; behind them is an http(s) address. */
const appSchemes = /^(feed|itpc|pcast|podcast|rss|antennapod-subscribe):(\/\/)?/i

/**
 * Turns what a person typed or pasted into the address of a feed. A missing scheme is https; app links are unwrapped.
 * Throws `invalid-field` for text that is not an address and `address-not-allowed` for one that is not http(s).
 */
export function normaliseFeedAddress(typed: string): string {
  const text = typed.trim()
  const unwrapped = appSchemes.test(text) ? text.replace(appSchemes, '').replace(/^(https?):?\/\//i, '$1://') : text
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(unwrapped) && !/^[\w.-]+:\d+(\/|$)/.test(unwrapped)
  const url = URL.parse(hasScheme ? unwrapped : `https://${unwrapped}`)
  if (!url || /\s/.test(unwrapped) || unwrapped === '' || unwrapped.length > 4096)
    throw invalidField('rssFeedUrl', 'an address such as https://example.com/feed.xml')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Problem('address-not-allowed', 'Only http and https addresses can be subscribed to', {
      field: 'rssFeedUrl',
    })
  if (!hasScheme && !/\.|^localhost$|^\[/.test(url.hostname))
    throw invalidField('rssFeedUrl', 'an address such as https://example.com/feed.xml')
  url.hash = ''
  return url.href
}
