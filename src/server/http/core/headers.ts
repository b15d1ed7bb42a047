/** Headers of every response, unless it sets its own. */
export const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

/** Response headers for content that came from a feed: a browser may play or show it, but never runs it as a page. */
export const inert = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
}
