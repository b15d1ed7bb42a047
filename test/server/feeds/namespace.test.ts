import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { parseFeed } from '../../../src/server/feeds/parse/parse-feed'
import { startTestApp, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { paintSquare } from '../../support/paint-square'

const fixture = await Bun.file(join(import.meta.dir, '../../fixtures/podcast-namespace.xml')).text()

type Answers = { podcast: object; episode: object }
type Reading = Partial<{ [answer in keyof Answers]: object }> & {
  /** Parts of the private feed; `{podcast}` and `{episode}` are their addresses below the server. */
  written: readonly (string | RegExp)[]
}

const inPodcast = (extras: object, written: Reading['written']): Reading => ({ podcast: { extras }, written })
const inEpisode = (extras: object, written: Reading['written']): Reading => ({ episode: { extras }, written })

/** The API's answer and the private feed's markup for each tag of the fixture; channels first. */
const readings: Record<string, readonly Reading[]> = {
  guid: [
    {
      podcast: { guid: '9b024349-ccf0-5f69-a609-6b82873eab3c' },
      written: ['<podcast:guid>9b024349-ccf0-5f69-a609-6b82873eab3c</podcast:guid>'],
    },
  ],
  medium: [{ podcast: { medium: 'podcast' }, written: ['<podcast:medium>podcast</podcast:medium>'] }],
  locked: [
    inPodcast({ locked: { locked: true, owner: 'mara@lighthouse.example' } }, [
      '<podcast:locked owner="mara@lighthouse.example">yes</podcast:locked>',
    ]),
  ],
  block: [
    inPodcast({ block: [{ block: false }, { id: 'google', block: true }, { id: 'amazon', block: false }] }, [
      // Nobody may list a private feed, whatever its publisher allows.
      '<podcast:block>yes</podcast:block>\n<podcast:block id="google">yes</podcast:block>\n<podcast:locked',
    ]),
  ],
  funding: [
    inPodcast({ funding: [{ url: 'https://lighthouse.example/give', text: 'Keep the lamp lit' }] }, [
      '<podcast:funding url="https://lighthouse.example/give">Keep the lamp lit</podcast:funding>',
    ]),
  ],
  person: [
    inPodcast(
      {
        persons: [
          {
            name: 'Mara Field',
            role: 'host',
            group: 'cast',
            img: expect.stringMatching(/\/covers\/podcasts\/[\w-]+\/persons\/0\?size=128/),
            href: 'https://mara.example/',
          },
          { name: 'Ingrid Ås', role: 'author', group: 'writing' },
        ],
      },
      [
        /<podcast:person role="host" group="cast" img="http:\/\/localhost\/covers\/podcasts\/[\w-]+\/persons\/0\?size=128&amp;apiKey=\w+" href="https:\/\/mara.example\/">Mara Field</,
        '<podcast:person role="author" group="writing">Ingrid Ås</podcast:person>',
      ],
    ),
    inEpisode(
      {
        persons: [
          { name: 'Jonas Weil', role: 'guest', href: 'https://jonas.example/' },
          { name: 'Mara Field', role: 'host' },
        ],
      },
      [
        /<podcast:person role="guest" img="http:\/\/localhost\/covers\/episodes\/[^"]+" href="https:\/\/jonas.example\/">/,
      ],
    ),
  ],
  location: [
    inPodcast(
      {
        locations: [
          { name: 'Skagen', rel: 'creator', geo: 'geo:57.7260,10.6360', osm: 'R113314', country: 'DK' },
          { name: 'Copenhagen', rel: 'subject', geo: 'geo:55.6761,12.5683' },
        ],
      },
      [
        '<podcast:location rel="creator" geo="geo:57.7260,10.6360" osm="R113314" country="DK">Skagen</podcast:location>',
        '<podcast:location rel="subject" geo="geo:55.6761,12.5683">Copenhagen</podcast:location>',
      ],
    ),
    inEpisode({ locations: [{ name: 'The north pier', rel: 'subject', osm: 'N1234567' }] }, [
      '<podcast:location rel="subject" osm="N1234567">The north pier</podcast:location>',
    ]),
  ],
  license: [
    inPodcast({ license: { name: 'cc-by-4.0', url: 'https://creativecommons.org/licenses/by/4.0/' } }, [
      '<podcast:license url="https://creativecommons.org/licenses/by/4.0/">cc-by-4.0</podcast:license>',
    ]),
    inEpisode({ license: { name: 'lighthouse-only', url: 'https://lighthouse.example/license' } }, [
      '<podcast:license url="https://lighthouse.example/license">lighthouse-only</podcast:license>',
    ]),
  ],
  txt: [
    inPodcast({ txt: [{ purpose: 'verify', text: 'S6lpp-7ZCn8-dZfGc-OoyaH' }, { text: 'Recorded beside the lamp' }] }, [
      '<podcast:txt purpose="verify">S6lpp-7ZCn8-dZfGc-OoyaH</podcast:txt>',
      '<podcast:txt>Recorded beside the lamp</podcast:txt>',
    ]),
    inEpisode({ txt: [{ purpose: 'release', text: 'second take' }] }, [
      '<podcast:txt purpose="release">second take</podcast:txt>',
    ]),
  ],
  chat: [
    inPodcast({ chat: [{ server: 'irc.lighthouse.example', protocol: 'irc', accountId: '@keeper', space: '#lamp' }] }, [
      '<podcast:chat server="irc.lighthouse.example" protocol="irc" accountId="@keeper" space="#lamp"/>',
    ]),
    inEpisode({ chat: [{ server: 'matrix.example', protocol: 'matrix', space: '#fog:matrix.example' }] }, [
      '<podcast:chat server="matrix.example" protocol="matrix" accountId="@fog:matrix.example" space="#fog:matrix.example"/>',
    ]),
  ],
  updateFrequency: [
    inPodcast(
      {
        updateFrequency: {
          text: 'Every Monday morning',
          rrule: 'FREQ=WEEKLY;BYDAY=MO',
          dtstart: '2026-01-05T06:00:00Z',
        },
      },
      [
        '<podcast:updateFrequency rrule="FREQ=WEEKLY;BYDAY=MO" dtstart="2026-01-05T06:00:00Z">Every Monday morning</podcast:updateFrequency>',
      ],
    ),
  ],
  publisher: [
    inPodcast(
      {
        publisher: {
          medium: 'publisher',
          feedGuid: '003af0a0-6a45-55cf-b765-68e3d349551a',
          feedUrl: 'https://publisher.example/feed.xml',
          title: 'Coast Media',
        },
      },
      [
        /<podcast:publisher><podcast:remoteItem [^>]*feedUrl="https:\/\/publisher.example\/feed.xml"[^>]*\/><\/podcast:publisher>/,
      ],
    ),
  ],
  podroll: [
    inPodcast({ podroll: [{ title: 'Harbour Talk' }, { feedUrl: 'https://tides.example/feed.xml' }] }, [
      /<podcast:podroll>(<podcast:remoteItem [^>]*\/>){2}<\/podcast:podroll>/,
    ]),
  ],
  remoteItem: [
    inPodcast(
      {
        podroll: [
          { feedGuid: '29cdca4a-32d8-56ba-b48b-09a011c5daa9', title: 'Harbour Talk' },
          {
            feedUrl: 'https://tides.example/feed.xml',
            feedGuid: '396d9ae0-da7e-5557-b894-b606231fa3ea',
            itemGuid: 'tide-1',
            medium: 'podcast',
          },
        ],
      },
      ['<podcast:remoteItem feedGuid="29cdca4a-32d8-56ba-b48b-09a011c5daa9" title="Harbour Talk"/>'],
    ),
  ],
  images: [
    {
      podcast: { original_image_url: expect.stringMatching(/\/cover-1500\.png$/) },
      written: [/<podcast:image href="http:\/\/localhost\/covers\/podcasts\/[\w-]+\?size=artwork/],
    },
  ],
  image: [
    {
      episode: { podcastEpisode: { image_url: expect.stringMatching(/\/fog\.png$/) } },
      written: [/<podcast:image href="http:\/\/localhost\/covers\/episodes\/[\w-]+\?size=artwork/],
    },
  ],
  value: [
    inPodcast({ value: { type: 'lightning', method: 'keysend', suggested: '0.00000005000' } }, [
      '<podcast:value type="lightning" method="keysend" suggested="0.00000005000"><podcast:valueRecipient',
    ]),
  ],
  valueRecipient: [
    inPodcast(
      {
        value: {
          recipients: [
            { name: 'Mara Field', type: 'node', customKey: '696969', customValue: 'mara', split: 90 },
            { name: 'Hosting', type: 'lnaddress', address: 'host@lighthouse.example', split: 10, fee: true },
          ],
        },
      },
      [
        '<podcast:valueRecipient name="Hosting" type="lnaddress" address="host@lighthouse.example" split="10" fee="true"/>',
        'customKey="696969" customValue="mara" split="90"/>',
      ],
    ),
  ],
  valueTimeSplit: [
    inEpisode(
      {
        value: {
          timeSplits: [
            {
              startTime: 60,
              duration: 237,
              remoteStartTime: 174,
              remotePercentage: 95,
              recipients: [],
              remoteItem: { itemGuid: 'song-1', feedGuid: 'a94f5cc9-8c58-55fc-91fe-a324087a655b', medium: 'music' },
            },
            { startTime: 330, duration: 53, recipients: [{ name: 'Ingrid Ås', split: 100 }] },
          ],
        },
      },
      [
        /<podcast:valueTimeSplit startTime="60" duration="237" remoteStartTime="174" remotePercentage="95"><podcast:remoteItem/,
        '<podcast:valueTimeSplit startTime="330" duration="53"><podcast:valueRecipient name="Ingrid Ås"',
      ],
    ),
  ],
  season: [inEpisode({ seasonName: 'The wet winter' }, ['<podcast:season name="The wet winter">3</podcast:season>'])],
  episode: [inEpisode({ episodeDisplay: 'Ch. 3' }, ['<podcast:episode display="Ch. 3">4</podcast:episode>'])],
  soundbite: [
    inEpisode({ soundbites: [{ startTime: 73.5, duration: 60, title: 'The horn' }] }, [
      '<podcast:soundbite startTime="73.5" duration="60">The horn</podcast:soundbite>',
    ]),
  ],
  contentLink: [
    inEpisode({ contentLinks: [{ href: 'https://video.example/fog', text: 'Watch the fog' }] }, [
      '<podcast:contentLink href="https://video.example/fog">Watch the fog</podcast:contentLink>',
    ]),
  ],
  socialInteract: [
    inEpisode(
      {
        social: [
          {
            uri: 'https://social.example/@mara/1',
            protocol: 'activitypub',
            accountId: '@mara@social.example',
            accountUrl: 'https://social.example/@mara',
          },
          { uri: 'https://forum.example/fog', protocol: 'twitter', accountId: '@fog' },
        ],
      },
      [
        '<podcast:socialInteract uri="https://social.example/@mara/1" protocol="activitypub" accountId="@mara@social.example" accountUrl="https://social.example/@mara" priority="1"/>',
      ],
    ),
  ],
  transcript: [
    {
      episode: { podcastEpisode: { has_transcript: true } },
      written: [/<podcast:transcript url="[^"]+\.vtt\?[^"]+" type="text\/vtt" language="en"\/>/],
    },
  ],
  chapters: [
    {
      episode: { podcastEpisode: {} },
      written: [/<podcast:chapters url="[^"]+" type="application\/json\+chapters"\/>/],
    },
  ],
  trailer: [
    inPodcast(
      {
        trailers: [
          {
            url: expect.stringMatching(/\/trailer\.mp3$/),
            title: 'The wet winter is coming',
            season: 3,
            pubdate: '2026-01-01T08:00:00.000Z',
            type: 'audio/mpeg',
            length: 12_345_678,
            episode: expect.any(String),
          },
        ],
      },
      [
        /<podcast:trailer url="http:\/\/localhost\/media\/[^"]+" pubdate="Thu, 01 Jan 2026 08:00:00 \+0000" type="audio\/mpeg" length="12345678" season="3">The wet winter is coming</,
      ],
    ),
  ],
  alternateEnclosure: [
    inEpisode(
      {
        forms: [
          { type: 'audio/mpeg', size: 100, isDefault: true },
          {
            type: 'video/mp4',
            size: 7_924_786,
            bitrate: 511_276,
            height: 720,
            language: 'en',
            title: 'Video',
            rel: 'video',
            codecs: 'avc1.64001f,mp4a.40.2',
            isDefault: false,
            integrity: 'sri',
            isFile: false,
            local_url: expect.stringMatching(/\/media\/[\w-]+\.\w+\?form=\w+/),
          },
        ],
      },
      [
        '<podcast:alternateEnclosure type="video/mp4" length="7924786" bitrate="511276" height="720" lang="en" title="Video" rel="video" codecs="avc1.64001f,mp4a.40.2">',
        /<podcast:alternateEnclosure type="audio\/mpeg" length="100" default="true">/,
      ],
    ),
  ],
  source: [
    { written: [/<podcast:source uri="http:\/\/localhost\/media\/[^"]+form=\w+[^"]*" contentType="video\/mp4"\/>/] },
  ],
  integrity: [
    {
      written: [
        '<podcast:integrity type="sri" value="sha384-ExVqijgYHm15PqQqdXfW95x+Rs6C+d6E/ICxyQOeFevnxNLR/wtJNrNYTjIysUBo"/>',
      ],
    },
  ],
  liveItem: [
    inPodcast(
      {
        live: [
          {
            guid: 'night-1',
            status: 'pending',
            title: 'A night at the lamp',
            start: '2026-01-12T19:00:00.000Z',
            end: '2026-01-12T21:00:00.000Z',
            url: 'https://video.example/night',
            contentLinks: [{ href: 'https://video.example/night', text: 'Watch the night' }],
            chat: [{ server: 'irc.lighthouse.example', protocol: 'irc', space: '#night' }],
            streams: [
              { type: 'audio/mpeg', local_url: expect.stringContaining('/media/live/') },
              { type: 'audio/ogg', bitrate: 48_000, title: 'Low bandwidth' },
            ],
          },
        ],
      },
      [
        '<podcast:liveItem status="pending" start="2026-01-12T19:00:00.000Z" end="2026-01-12T21:00:00.000Z"><title>A night at the lamp</title><guid isPermaLink="false">night-1</guid><enclosure url="http://localhost/media/live/',
        '<podcast:chat server="irc.lighthouse.example" protocol="irc" space="#night"/>',
        '<podcast:contentLink href="https://video.example/night">Watch the night</podcast:contentLink>',
      ],
    ),
  ],
  // Tells apps how their servers hear of news, which is nothing that a private feed could promise.
  podping: [{ written: [] }],
}

test('every tag of the podcast namespace is read, stored, answered, and given on by private feeds', async () => {
  await using app = await startTestApp({ env: withPasswords })
  using host = startFeedHost()
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const { id } = await root.podcasts.add(host.feed('/feed.xml', fixture.replaceAll('{host}', host.origin)))
  const podcast = await root.podcasts.find(id)
  const [first] = (await root.podcasts.episodes(id, {}, null)).data
  const episode = await root.episodes.find(first!.podcastEpisode.id)
  const feed = await (await app.fetch(podcast.podfetch_feed.replace('http://localhost', ''))).text()

  const used = new Set([...fixture.matchAll(/<podcast:(\w+)/g)].map(([, name]) => name!))
  expect(Object.keys(readings).toSorted()).toEqual([...used].toSorted())
  for (const [tag, expected] of Object.entries(readings))
    for (const { podcast: ofPodcast, episode: ofEpisode, written } of expected) {
      if (ofPodcast) expect({ tag, ...podcast }).toMatchObject({ tag, ...ofPodcast })
      if (ofEpisode) expect({ tag, ...episode }).toMatchObject({ tag, ...ofEpisode })
      for (const part of written) expect(feed).toMatch(part)
    }
})

test("pictures of people come from the server, also in private feeds, and a third party's is asked once", async () => {
  await using app = await startTestApp({ env: withPasswords })
  using host = startFeedHost()
  app.prefill(0)
  host.file(
    '/mara.png',
    paintSquare(() => [200, 80, 20]),
    { type: 'image/png' },
  )
  const root = app.as('root', 'Sup3rSecret')
  const { id } = await root.podcasts.add(host.feed('/feed.xml', fixture.replaceAll('{host}', host.origin)))
  const { podfetch_feed, extras } = await root.podcasts.find(id)
  const feed = await (await app.fetch(podfetch_feed.replace('http://localhost', ''))).text()
  expect(feed).not.toContain(`${host.origin}/mara.png`)
  const [, inFeed] = /<podcast:person [^>]*img="http:\/\/localhost([^"]+)"/.exec(feed)!
  const headers = { Authorization: root.authorization! }
  const shown = await app.fetch(extras.persons[0]!.img!.replace('http://localhost', ''), { headers })
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect((await app.fetch(inFeed!.replaceAll('&amp;', '&'))).status).toBe(200)
  expect(host.requestsTo('/mara.png')).toHaveLength(1)
  // Ingrid has none, and Jonas's is not there.
  expect((await app.fetch(`/covers/podcasts/${id}/persons/1`, { headers })).status).toBe(404)
  expect((await app.fetch(`/covers/podcasts/${id}/persons/99`, { headers })).status).toBe(404)
})

test('numbers and lengths of tags are bounded, and nonsense in them is left out', () => {
  const long = 'x'.repeat(3000)
  const times = (count: number, tag: string) => tag.repeat(count)
  const recipients = times(150, `<podcast:valueRecipient name="${long}" split="nonsense" fee="perhaps"/>`)
  const extra = `${times(150, `<podcast:person role="${long}" href="javascript:alert(1)">${long}</podcast:person>`)}
    ${times(50, `<podcast:location geo="here" osm="R1' OR 1" country="Denmark" rel="near">${long}</podcast:location>`)}
    ${times(50, `<podcast:txt purpose="${long}">${long}${long}</podcast:txt>`)}
    ${times(50, `<podcast:chat server="${long}" protocol="irc"/>`)}<podcast:chat protocol="irc"/>
    ${times(50, '<podcast:contentLink href="https://h.example/"/>')}<podcast:contentLink href="javascript:alert(1)">x</podcast:contentLink>
    <podcast:license url="data:text/html,x"></podcast:license>
    <podcast:value suggested="${long}">${recipients}
      ${times(150, `<podcast:valueTimeSplit startTime="1" duration="2">${times(25, '<podcast:valueRecipient split="1"/>')}</podcast:valueTimeSplit>`)}
      <podcast:valueTimeSplit startTime="-1" duration="2"/><podcast:valueTimeSplit startTime="1"/>
    </podcast:value>`
  const { feed } = parseFeed(new TextEncoder().encode(rss({ extra, items: [{ extra }] })), 'https://h.example/feed.xml')
  const { persons, location, value, tags } = feed.items[0]!
  expect([persons.length, location!.length, tags!.txt!.length, tags!.chat!.length, tags!.contentLinks!.length]).toEqual(
    [100, 20, 20, 20, 20],
  )
  expect([value!.recipients.length, value!.timeSplits!.length, value!.timeSplits![0]!.recipients.length]).toEqual([
    100, 100, 20,
  ])
  const short = 'x'.repeat(500)
  expect(persons[0]).toEqual({ name: short, role: short })
  expect(location![0]).toEqual({ name: short })
  expect(tags!.txt![0]).toEqual({ purpose: short.slice(0, 128), text: `${long}${long}`.slice(0, 4000) })
  expect(value!.recipients[0]).toEqual({ name: short })
  expect(tags).not.toHaveProperty('license')
  const { extras } = feed
  expect([extras.persons.length, extras.locations!.length, extras.value!.recipients.length]).toEqual([100, 20, 100])
})
