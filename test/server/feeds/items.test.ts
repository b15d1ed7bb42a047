import { describe, expect, test } from 'bun:test'
import { parseFeed } from '../../../src/server/feeds/parse/parse-feed'

const parse = (channel: string) =>
  parseFeed(
    new TextEncoder().encode(`<rss><channel><title>t</title>${channel}</channel></rss>`),
    'https://pod.example/',
  ).feed
const itemOf = (extra: string) => parse(`<item><title>One</title><enclosure url="/a.mp3"/>${extra}</item>`).items[0]!
const entryOf = (extra: string) =>
  parseFeed(
    new TextEncoder().encode(
      `<feed xmlns="http://www.w3.org/2005/Atom"><entry><link rel="enclosure" href="/a.mp3"/>${extra}</entry></feed>`,
    ),
    'https://pod.example/',
  ).feed.items[0]!

const srcset = '<podcast:images srcset="/600.jpg 600w,\n /3000.jpg 3000w, https://cdn.example/w,h/900.jpg 900w"/>'
const banner = '<podcast:image href="/banner.jpg" purpose="banner"/>'
const square = '<podcast:image href="/square.jpg" purpose="artwork"/>'
const thumbnail = '<media:thumbnail url="/thumbnail.jpg"/>'
const picture = '<media:content url="/picture.jpg" medium="image"/>'
const portrait = '<media:content url="https://1.gravatar.com/avatar/x" medium="image"/>'

describe('the picture of an episode is found in', () => {
  test.each([
    ['podcast:image', '<podcast:image href="/one.jpg"/>', '/one.jpg'],
    ['podcast:image, artwork before a banner', banner + square, '/square.jpg'],
    ['podcast:image, a banner if there is nothing else', banner, '/banner.jpg'],
    ['podcast:images, the widest', srcset, '/3000.jpg'],
    ['podcast:images without widths', '<podcast:images srcset="/one.jpg, /two.jpg"/>', '/one.jpg'],
    ['media:thumbnail', picture + thumbnail, '/thumbnail.jpg'],
    [
      'media:thumbnail of a media:content',
      `<media:content url="/a.mp3">${thumbnail}</media:content>`,
      '/thumbnail.jpg',
    ],
    ['media:content', picture, '/picture.jpg'],
    ['media:content by its type', '<media:content url="/picture" type="image/png"/>', '/picture'],
    ['media:content of a group', `<media:group>${picture}</media:group>`, '/picture.jpg'],
    ['media:content, but for a portrait of the author', portrait + picture, '/picture.jpg'],
    ['image with a url', '<image><url>/plain.jpg</url></image>', '/plain.jpg'],
    ['image with an address', '<image href="/plain.jpg"/>', '/plain.jpg'],
    ['image as text', '<image>/plain.jpg</image>', '/plain.jpg'],
    ['itunes:image first', `${square}${picture}<itunes:image href="/itunes.jpg"/>`, '/itunes.jpg'],
  ])('%s', (_, extra, path) => {
    expect(itemOf(extra).imageUrl).toBe(`https://pod.example${path}`)
    expect(entryOf(extra).imageUrl).toBe(`https://pod.example${path}`)
  })

  test('nothing, where sound and a portrait are all there is', () => {
    expect(itemOf(`<media:content url="/b.mp3" type="audio/mpeg"/>${portrait}`).imageUrl).toBeNull()
    expect(itemOf('<image>The lighthouse</image>').imageUrl).toBeNull()
  })
})

test('the cover of a podcast may be one of podcast:images', () => {
  expect(parse(srcset).imageUrl).toBe('https://pod.example/3000.jpg')
  expect(parse(`${srcset}<image><url>/cover.jpg</url></image>`).imageUrl).toBe('https://pod.example/cover.jpg')
})

test('the duration may be that of the media element', () => {
  const content = '<media:content url="/a.mp3" type="audio/mpeg" duration="185"/>'
  expect(itemOf(content).duration).toBe(185)
  expect(itemOf(`<media:group>${content}</media:group>`).duration).toBe(185)
  expect(entryOf(content).duration).toBe(185)
  expect(itemOf(`${content}<itunes:duration>3:06</itunes:duration>`).duration).toBe(186)
})

test('an item of RSS may have the id and the time of Atom', () => {
  const updated = '<updated>2026-03-01T12:00:00Z</updated>'
  const march = Date.UTC(2026, 2, 1, 12)
  expect(itemOf(`<id>urn:1</id>${updated}`)).toMatchObject({ guid: 'urn:1', announcedAt: march })
  expect(itemOf('<id>urn:1</id><guid>guid-1</guid>').guid).toBe('guid-1')
  expect(itemOf(`${updated}<pubDate>Mon, 02 Mar 2026 12:00:00 GMT</pubDate>`).announcedAt).toBe(march + 86_400_000)
})

test('a date that cannot be read leaves the word to the next one', () => {
  expect(itemOf('<pubDate>soon</pubDate><dc:date>2026-03-01</dc:date>').announcedAt).toBe(Date.UTC(2026, 2, 1))
})
