/** For what comes from a feed: it plays or shows, and acts on nobody's behalf, whatever it turns out to be. */
export const inert = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
}
