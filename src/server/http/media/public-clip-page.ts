import type { TFunction } from 'i18next'
import { escapeAttribute, escapeText } from 'entities/escape'
import { formatTenths } from '../../../shared/tenths'
import type { ClipOfEpisode } from '../../store/clips'
import { withoutUserInfo } from '../core/links'

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

export const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

type Options = {
  /** Of the server, with a slash at its end. */
  base: string
  hasCover: boolean
  /** The language of the visitor, and words in it. */
  language: string
  t: TFunction
}

/** Writes the page of a clip: what its owner and its publisher wrote, and until when it is public. */
export function writeClipPage(clip: ClipOfEpisode, { base, hasCover, language, t }: Options): string {
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
export function writeGonePage({ base, language, t }: Pick<Options, 'base' | 'language' | 't'>): string {
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
