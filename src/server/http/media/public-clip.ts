import { escapeAttribute, escapeText } from 'entities/escape'
import type { TFunction } from 'i18next'
import { stat } from 'node:fs/promises'
import { closestLanguage } from '../../../shared/languages'
import { formatTenths } from '../../../shared/duration'
import type { Context } from '../../context'
import { type Clock, MINUTE } from '../../platform/clock'
import { noSuchPath, Problem } from '../../platform/problem'
import { createTexts, knownLanguages } from '../../platform/texts'
import type { ClipOfEpisode } from '../../store/clips'
import { commonHeaders, inert } from '../core/answers'
import { withoutUserInfo, peerOf, serverUrlOf } from '../core/links'
import type { OpenRoutes } from '../core/open-routes'
import { sendFile } from './local-file'

/** Requests for one clip in a minute: its page, its cover, and the ranges that many players ask for. */
const MAX_PER_MINUTE = 600
const MAX_REMEMBERED = 1000

/** Nothing here is kept, by a browser or a search engine: a clip ends at any time. */
const guarded = {
  ...inert,
  'Cache-Control': 'no-cache',
  'X-Robots-Tag': 'noindex',
  'Referrer-Policy': 'no-referrer',
}

function headersWith(own: Record<string, string>): Headers {
  const headers = new Headers(commonHeaders)
  for (const [name, value] of Object.entries({ ...guarded, ...own })) headers.set(name, value)
  return headers
}

const style = `
:root { color-scheme: light dark; --soft: light-dark(#5b6470, #a3abb6); --line: light-dark(#dcdfe4, #3a4048) }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100svh; display: grid; place-items: center; padding: 24px 16px;
  font: 17px/1.5 system-ui, sans-serif; background: light-dark(#fafaf9, #14171a); color: light-dark(#16191d, #eceef0) }
main { width: 100%; max-width: 36rem; overflow-wrap: anywhere }
img { display: block; width: 128px; height: 128px; margin: 0 0 16px; border-radius: 8px; object-fit: cover }
h1 { margin: 0 0 4px; font-size: 1.375rem; line-height: 1.25 }
p { margin: 0; color: var(--soft) }
blockquote { margin: 20px 0 0; padding-inline-start: 16px; border-inline-start: 3px solid var(--line); white-space: pre-line }
audio { display: block; width: 100%; margin: 24px 0 }
a { color: light-dark(#0f5f57, #63cbc0) }
abbr { padding: 0 6px; border: 1px solid var(--line); border-radius: 4px; font-size: .8125rem; text-decoration: none }
`
const hash = new Bun.CryptoHasher('sha256').update(style).digest('base64')

const policy =
  `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; media-src 'self'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const pageHeaders = {
  'Content-Security-Policy': policy,
  'Content-Type': 'text/html; charset=utf-8',
  Vary: 'Accept, Accept-Language',
}

type Found = NonNullable<ReturnType<Context['clips']['findPublic']>>

/** Clips that their owners show to everybody who has the address: a page without scripts, the sound and the cover. */
export function publicClips(routes: OpenRoutes, app: Context) {
  const count = createCounter(app.now)
  const textsIn = createTexts()
  /** Throws `not-found` unless there is such a clip and it is public, and `too-many-requests`. */
  function requireClip(code: string): Found {
    const clip = app.clips.findPublic(code)
    if (!clip) throw noSuchPath()
    count(code)
    return clip
  }

  routes
    .get('/clip/:code', async ({ params, request, server }) => {
      const clip = app.clips.findPublic(params.code)
      if (!clip && !/\btext\/html\b/i.test(request.headers.get('accept') ?? '')) throw noSuchPath()
      if (clip) count(params.code)
      const language = visitorLanguage(request)
      const base = serverUrlOf(request, peerOf(request, server), app.config)
      const shown = { base, language, t: await textsIn(language) }
      const page = clip
        ? writeClipPage(clip, { ...shown, hasCover: pictureOf(app, clip) !== null })
        : writeGonePage(shown)
      return new Response(page, { status: clip ? 200 : 404, headers: headersWith(pageHeaders) })
    })
    .get('/clip/:code/audio', async ({ params, request }) => {
      const clip = requireClip(params.code)
      const facts = await stat(clip.path).catch(() => null)
      if (!facts) throw noSuchPath()
      const validators = { etag: `"${clip.uuid}"`, lastModified: new Date(clip.created_at).toUTCString() }
      const headers = headersWith({
        'Content-Type': clip.file_type,
        'Accept-Ranges': 'bytes',
        ETag: validators.etag,
      })
      return sendFile(Bun.file(clip.path), { size: facts.size, validators, headers }, request)
    })
    .get('/clip/:code/cover', async ({ params }) => {
      const clip = requireClip(params.code)
      const picture = pictureOf(app, clip)
      const cover = picture && (await app.covers.storedAs(picture.podcastId, picture.url, 512))
      if (!cover) throw noSuchPath()
      return new Response(Bun.file(cover.path), { headers: headersWith({ 'Content-Type': cover.type }) })
    })
}

/** The address of the picture that is here of an episode, its own or its podcast's; null if there is none. */
function pictureOf({ store, covers }: Context, { episode_id }: ClipOfEpisode) {
  const episode = store.episodes.find(episode_id)
  const urls = [episode?.image_url, episode?.podcast_image].filter(url => typeof url === 'string')
  const url = urls.find(one => covers.stored(episode!.podcast_id, one) !== null)
  return url === undefined ? null : { podcastId: episode!.podcast_id, url }
}

/** Counts the requests for each clip within a minute. Throws `too-many-requests` beyond the limit. */
function createCounter(now: Clock) {
  const counts = new Map<string, { since: number; requests: number }>()
  return (code: string) => {
    const known = counts.get(code)
    if (!known || now() - known.since >= MINUTE) {
      if (counts.size >= MAX_REMEMBERED) counts.delete(counts.keys().next().value!)
      counts.set(code, { since: now(), requests: 1 })
      return
    }
    known.requests++
    if (known.requests > MAX_PER_MINUTE)
      throw new Problem('too-many-requests', 'Too many requests for this clip', {}, 60)
  }
}

type Options = {
  /** The server's address, with a slash at its end. */
  base: string
  hasCover: boolean
  /** The language of the visitor, and words in it. */
  language: string
  t: TFunction
}

/** Writes the page of a clip: what its owner and its publisher wrote, and until when it is public. */
function writeClipPage(clip: ClipOfEpisode, { base, hasCover, language, t }: Options): string {
  const { title, episode_title, podcast_title, quote } = clip
  const address = `${base}clip/${clip.code}`
  const found = [clip.episode_link, clip.podcast_link].find(url => url !== null && /^https?:\/\//i.test(url))
  const link = found && withoutUserInfo(found)
  const linked = (text: string) =>
    link
      ? `<a href="${escapeAttribute(link)}" rel="noopener noreferrer nofollow">${escapeText(text)}</a>`
      : escapeText(text)
  // A clip without its own title is named after its episode.
  const isNamedAfterEpisode = title === episode_title
  const source = escapeText(podcast_title) + (isNamedAfterEpisode ? '' : `: ${linked(episode_title)}`)
  const explicit = clip.is_explicit ? ' <abbr title="Explicit">E</abbr>' : ''
  const audio = `${escapeAttribute(address)}/audio`
  const head = `<meta property="og:title" content="${escapeAttribute(title)}">
<meta property="og:audio" content="${audio}">
${hasCover ? `<meta property="og:image" content="${escapeAttribute(address)}/cover">` : ''}`
  const body = `${hasCover ? `<img src="${escapeAttribute(address)}/cover" alt="">` : ''}
<h1 dir="auto">${isNamedAfterEpisode ? linked(title) : escapeText(title)}</h1>
<p dir="auto">${source}, ${timeOf(clip.start_ms)}–${timeOf(clip.end_ms)}${explicit}</p>
${quote ? `<blockquote dir="auto">${escapeText(quote)}</blockquote>` : ''}
<audio controls preload="metadata" src="${audio}"></audio>
<p lang="${language}">${escapeText(t('public-clip-until', { date: dayOf(clip.ends_at, language) }))}</p>`
  return writePage({ base, language: languageOf(clip.language), title: `${title} – ${podcast_title}`, head, body })
}

/** Writes the page that stands for every address without a clip, whether there was one or not. */
function writeGonePage({ base, language, t }: Pick<Options, 'base' | 'language' | 't'>): string {
  const title = t('public-clip-gone')
  return writePage({ base, language, title, head: '', body: `<h1>${escapeText(title)}</h1>` })
}

type Page = { base: string; language: string; title: string; head: string; body: string }

const writePage = ({ base, language, title, head, body }: Page) => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${head}
<link rel="icon" type="image/svg+xml" href="${escapeAttribute(base)}ui/public/icon.svg">
<title>${escapeText(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`

/** The day of a moment, which is the same for all visitors: the page does not know their time zone. */
const dayOf = (at: number, language: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at)

/** The language of the podcast, as its feed names it. */
const languageOf = (language: string | null) =>
  language !== null && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language) ? language : 'en'

/** Milliseconds as 1:02:03, or 2:03.4. */
const timeOf = (ms: number): string => formatTenths(ms / 1000).replace(/^0(?=\d:)/, '')

/**
 * The language of ours that a visitor's browser asks for first, by `Accept-Language`; English where it asks for none.
 */
function visitorLanguage({ headers }: Request): string {
  const wanted = (headers.get('accept-language') ?? '')
    .slice(0, 500)
    .split(',')
    .map(part => {
      const [code = '', ...options] = part.split(';').map(text => text.trim())
      const weight = options.find(option => option.startsWith('q='))
      return { code, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
  for (const { code } of wanted) {
    const found = closestLanguage(code, knownLanguages)
    if (found) return found
  }
  return 'en'
}
